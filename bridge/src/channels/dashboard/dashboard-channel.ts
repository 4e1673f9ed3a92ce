import { createHash } from "node:crypto";
import type { Channel, ChannelTestStep, InboxMessage, LintFinding, PayloadPart, Unavailable } from "@xworkmate/contracts";
import { formatBytes, omitUndefined, Timestamp } from "@xworkmate/contracts";
import { z } from "zod";
import type { Built, DeliveryChannel, Message, SendOutcome } from "../../ports/channels/channel.ts";
import type { Payload } from "../../ports/plans/plan-event.ts";

const MOST_BYTES = 1_000_000;

/** The fields of a built message that are read back. */
const Row = z.object({ at: Timestamp, title: z.string(), text: z.string() });

export interface DashboardChannelOptions {
	/** Checks a deliverable, and returns what the channel objects to. */
	readonly lint: (text: string) => readonly LintFinding[];
}

/** The app's inbox: rows in the bridge's own store, so there is nothing to set up and no other party to trust. */
export class DashboardChannel implements DeliveryChannel {
	readonly channel = "dashboard";
	readonly constraints = "Your deliverable will be shown on the dashboard. Full markdown supported.";
	readonly #options: DashboardChannelOptions;

	constructor(options: DashboardChannelOptions) {
		this.#options = options;
	}

	lint(text: string): readonly LintFinding[] {
		return this.#options.lint(text);
	}

	contentProblem(text: string): string | undefined {
		if (text.trim() === "") return "The message is empty.";
		if (!text.isWellFormed()) return "The message has characters that can't be shown.";
		return Buffer.byteLength(text) > MOST_BYTES ? `The message is larger than ${formatBytes(MOST_BYTES)}.` : undefined;
	}

	owner(): string {
		return "dashboard";
	}

	async render(message: Message): Promise<Built> {
		const { title, text, actionId, at } = message;
		// Includes the id, because the same text may be sent twice and must then become two rows.
		const bytes = Buffer.from(JSON.stringify({ messageId: actionId ?? "preview", at, title, text }));
		const payload: Payload = { sha256: hash(bytes), channel: this.channel, mediaType: "application/json", bytes, envelope: "{}" };
		return { payload, parts: await this.partsOf(payload), ...omitUndefined({ providerMessageId: actionId }) };
	}

	async partsOf({ bytes }: Payload): Promise<readonly PayloadPart[]> {
		const { text } = rowOf(bytes);
		return [{ kind: "row", mediaType: "text/markdown", text, bytes: Buffer.byteLength(text), sha256: hash(text) }];
	}

	/** Places the message as it was built, in the form that the user may have reviewed. The plan's title may have changed since then. */
	place(message: Message, { payload }: Pick<Built, "payload">): InboxMessage {
		const { actionId, planId, occurrenceId, runId } = message;
		const { title, text, at } = rowOf(payload.bytes);
		if (actionId === undefined || planId === undefined || occurrenceId === undefined)
			throw new Error("a preview can't be added to the inbox");
		return { messageId: actionId, at, title, text, planId, occurrenceId, read: false, ...omitUndefined({ runId }) };
	}

	async availability(): Promise<undefined> {
		return undefined;
	}

	/** Only reports an error: a message of this channel is delivered by `place`, which makes it a row. */
	async send(): Promise<SendOutcome> {
		const message = "This message should have been added to the inbox, but the bridge tried to send it, so it was not delivered.";
		const fix = "Restart the bridge. If it happens again, report it as a bug in XWorkmate.";
		return { kind: "held", code: "CHANNEL_UNAVAILABLE", message, fix };
	}

	async view(): Promise<Channel> {
		return { channel: this.channel, ready: true, owner: this.owner(), settings: {}, secrets: [] };
	}

	async test(): Promise<{ readonly ok: boolean; readonly steps: readonly ChannelTestStep[]; readonly problem?: Unavailable }> {
		return {
			ok: true,
			steps: [{ step: "settings", ok: true, message: "The dashboard is part of XWorkmate; there is nothing to set up." }],
		};
	}
}

function rowOf(bytes: Uint8Array): z.infer<typeof Row> {
	return Row.parse(JSON.parse(Buffer.from(bytes).toString("utf8")));
}

function hash(content: string | Uint8Array): string {
	return createHash("sha256").update(content).digest("hex");
}
