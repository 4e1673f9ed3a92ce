import { join } from "node:path";
import { ChannelId, Contact, ContractError, type Unavailable } from "@xworkmate/contracts";
import { z } from "zod";
import { KeptFile } from "../../auth/kept-file.ts";
import type { Secrets, Settings, Stored } from "./channel-kind.ts";

const CHANNELS_FILE = "channels.json";
const SECRETS_FILE = "channel-secrets.json";
const AGAIN = "set the channels up again";

const Content = z
	.strictObject({
		version: z.literal(1),
		channels: z
			.partialRecord(ChannelId, z.record(z.string().max(100), z.union([z.string().max(2_000), z.int(), z.boolean()])))
			.prefault({}),
		contacts: z.array(z.strictObject(Contact.shape)).prefault([]),
	})
	.refine(({ contacts }) => new Set(contacts.map(({ contactId }) => contactId)).size === contacts.length, { path: ["contacts"] });
type Content = z.infer<typeof Content>;

const SecretContent = z.strictObject({
	version: z.literal(1),
	channels: z.partialRecord(ChannelId, z.record(z.string().max(100), z.string().max(16_384))).prefault({}),
});
type SecretContent = z.infer<typeof SecretContent>;

export type ReadStored =
	| { readonly kind: "stored"; readonly stored: Stored }
	/** A file is invalid. It is not changed. */
	| { readonly kind: "unusable"; readonly problem: Unavailable };

/**
 * The channels and contacts of a home: `channels.json`, and next to it `channel-secrets.json`, which contains nothing but secrets. Both are
 * read whenever they are needed.
 */
export class ChannelsFile {
	readonly #file: KeptFile<Content>;
	readonly #secrets: KeptFile<SecretContent>;
	readonly #onSecrets: (secrets: readonly string[]) => void;

	/** @param onSecrets receives the secrets whenever they are read, before anything uses them */
	constructor(folder: string, onSecrets: (secrets: readonly string[]) => void) {
		const common = { again: AGAIN, owner: process.getuid?.(), refusal };
		const none = { version: 1, channels: {} } as const;
		this.#file = new KeptFile<Content>({
			...common,
			path: join(folder, CHANNELS_FILE),
			schema: Content,
			empty: { ...none, contacts: [] },
			code: "CHANNELS",
		});
		this.#secrets = new KeptFile<SecretContent>({
			...common,
			path: join(folder, SECRETS_FILE),
			schema: SecretContent,
			empty: none,
			code: "CHANNEL_SECRETS",
		});
		this.#onSecrets = onSecrets;
		this.#file.removeLeftovers();
		this.#secrets.removeLeftovers();
	}

	read(channel: ChannelId): ReadStored {
		const read = this.#file.read();
		if (read.kind === "unusable") return read;
		const secrets = this.#readSecrets();
		if (secrets.kind === "unusable") return secrets;
		return {
			kind: "stored",
			stored: { settings: read.content.channels[channel] ?? {}, secrets: secrets.content.channels[channel] ?? {} },
		};
	}

	/** Reads the secrets that the user wrote into the file, so that they are redacted. */
	learnSecrets(): void {
		this.#readSecrets();
	}

	/**
	 * Replaces the stored settings of a channel. The new settings are on the disk when the call returns.
	 * @throws ContractError CHANNEL_UNAVAILABLE if a file cannot be used
	 */
	write(channel: ChannelId, { settings, secrets }: Stored): void {
		this.#onSecrets(Object.values(secrets));
		// A secret that changes is removed before the settings change, so that a crash never leaves the old one next to the new settings.
		const before = this.#stored(channel);
		const kept = Object.fromEntries(Object.entries(before.secrets).filter(([name, value]) => secrets[name] === value));
		if (Object.keys(kept).length < Object.keys(before.secrets).length) this.#writeSecrets(channel, kept);
		this.#file.change((content) => ({ ...content, channels: withMember(content.channels, channel, settings) }));
		if (Object.keys(kept).length < Object.keys(secrets).length) this.#writeSecrets(channel, secrets);
	}

	/** @throws ContractError CHANNEL_UNAVAILABLE if the file cannot be used */
	contacts(): readonly Contact[] {
		const read = this.#file.read();
		if (read.kind === "unusable") throw refusal(read.problem);
		return read.content.contacts;
	}

	/** @throws ContractError CHANNEL_UNAVAILABLE if the file cannot be used */
	writeContacts(change: (contacts: readonly Contact[]) => readonly Contact[]): readonly Contact[] {
		return this.#file.change((content) => ({ ...content, contacts: [...change(content.contacts)] })).contacts;
	}

	#stored(channel: ChannelId): Stored {
		const read = this.read(channel);
		if (read.kind === "unusable") throw refusal(read.problem);
		return read.stored;
	}

	#readSecrets() {
		const read = this.#secrets.read();
		if (read.kind === "content") this.#onSecrets(Object.values(read.content.channels).flatMap((each) => Object.values(each)));
		return read;
	}

	#writeSecrets(channel: ChannelId, secrets: Secrets): void {
		this.#secrets.change((content) => ({ ...content, channels: withMember(content.channels, channel, secrets) }));
	}
}

function refusal({ message, fix }: Unavailable): ContractError {
	return new ContractError("CHANNEL_UNAVAILABLE", { detail: message, fix });
}

/** Adds the member, or removes it if it is empty. */
function withMember<M extends Settings>(all: Readonly<Partial<Record<ChannelId, M>>>, channel: ChannelId, member: M) {
	const next: Partial<Record<ChannelId, M>> = { ...all };
	if (Object.keys(member).length === 0) delete next[channel];
	else next[channel] = member;
	return next;
}
