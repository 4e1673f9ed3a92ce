import {
	type Channel,
	type ChannelId,
	ContractError,
	canonicalJson,
	type MethodParams,
	type MethodResult,
	omitUndefined,
} from "@xworkmate/contracts";
import { type Clock, timestamp } from "../../ports/clock.ts";
import type { ChannelKind, ChannelKinds, Stored } from "./channel-kind.ts";
import type { ChannelTest, ChannelTests, TestResult } from "./channel-tests.ts";
import type { ChannelsFile } from "./channels-file.ts";
import { absentChannel, type ContactBook } from "./contact-book.ts";

const TEST_MS = 30_000;

export interface ChannelMethodsParts {
	readonly kinds: ChannelKinds;
	readonly file: ChannelsFile;
	readonly tests: ChannelTests;
	readonly contacts: ContactBook;
	readonly clock: Pick<Clock, "now">;
	/** Called after a channel is set up, changed or removed. */
	readonly onChanged: () => void;
}

/** The channel methods, which read and write files in the home. */
export class ChannelMethods {
	readonly #parts: ChannelMethodsParts;
	readonly #running = new Map<string, Promise<TestResult>>();

	constructor(parts: ChannelMethodsParts) {
		this.#parts = parts;
	}

	async list(): Promise<MethodResult<"xworkmate.channels.list">> {
		return { channels: await Promise.all([...this.#parts.kinds.values()].map((kind) => this.#view(kind))) };
	}

	/** @throws ContractError INVALID_PARAMS, CHANNEL_UNAVAILABLE */
	async configure({ channel, settings, secrets }: MethodParams<"xworkmate.channels.configure">): Promise<Channel> {
		const kind = this.#kind(channel);
		refuseUnknown(kind, Object.keys(settings), kind.settings, "setting");
		refuseUnknown(kind, Object.keys(secrets), kind.secrets, "secret");
		const read = this.#parts.file.read(channel);
		if (read.kind === "unusable") throw new ContractError("CHANNEL_UNAVAILABLE", { detail: read.problem.message, fix: read.problem.fix });
		const next = { settings: merged(read.stored.settings, settings), secrets: merged(read.stored.secrets, secrets) };
		const problem = kind.settingsProblem(next);
		if (problem !== undefined)
			throw new ContractError("INVALID_PARAMS", {
				detail: `${kind.name}: ${problem}.`,
				fix: `Nothing was changed. ${await this.#fixOf(kind, problem, read.stored)}`,
			});
		this.#parts.file.write(channel, next);
		return await this.#changed(kind, canonicalJson(next) === canonicalJson(read.stored));
	}

	/**
	 * What to do about settings that can't be stored. If the stored settings already had the problem, the channel says what to do, because
	 * correcting those that were given would not solve it.
	 */
	async #fixOf({ channel, settingsProblem }: ChannelKind, problem: string, before: Stored): Promise<string> {
		const known = settingsProblem(before) === problem ? (await channel.availability())?.fix : undefined;
		return known ?? "Correct the setting and try again.";
	}

	/** @throws ContractError CHANNEL_UNAVAILABLE */
	async remove({ channel }: MethodParams<"xworkmate.channels.remove">): Promise<Channel> {
		const kind = this.#kind(channel);
		this.#parts.file.write(channel, { settings: {}, secrets: {} });
		return await this.#changed(kind);
	}

	/** @throws ContractError INVALID_PARAMS, RECIPIENT_REQUIRED, RECIPIENT_UNKNOWN, CHANNEL_UNAVAILABLE */
	async test(params: MethodParams<"xworkmate.channels.test">): Promise<MethodResult<"xworkmate.channels.test">> {
		const kind = this.#kind(params.channel);
		const { ok, steps, tookMs } = await this.#tested(kind, params);
		return { channel: await this.#view(kind), ok, steps: [...steps], tookMs };
	}

	async #tested(kind: ChannelKind, { channel, requestId, recipient }: MethodParams<"xworkmate.channels.test">): Promise<TestResult> {
		const earlier = this.#parts.tests.find(requestId);
		if (earlier !== undefined && (earlier.channel !== channel || earlier.recipient !== recipient))
			throw new ContractError("INVALID_PARAMS", {
				detail: "This requestId was already used for a different test.",
				fix: "Send the test with a new requestId.",
			});
		const running = this.#running.get(requestId);
		if (running !== undefined) return await running;
		if (earlier !== undefined) return earlier.result ?? unsaved;
		const { address } = this.#parts.contacts.resolve(channel, recipient);
		const test = { requestId, channel, at: timestamp(this.#parts.clock.now()), ...omitUndefined({ recipient }) };
		const result = this.#run(kind, address, test).finally(() => this.#running.delete(requestId));
		this.#running.set(requestId, result);
		return await result;
	}

	async #run(kind: ChannelKind, address: string, test: ChannelTest): Promise<TestResult> {
		const { tests } = this.#parts;
		tests.begin(test, this.#basisOf(kind) ?? "");
		const began = performance.now();
		const { ok, steps, problem } = await kind.channel.test(address, AbortSignal.timeout(TEST_MS));
		const tookMs = Math.round(performance.now() - began);
		const result: TestResult = { ok, steps: [...steps], tookMs, ...omitUndefined({ problem }) };
		tests.end(test.requestId, result);
		return result;
	}

	/** @param isSame true if the settings and secrets are unchanged, so the last test still counts */
	async #changed(kind: ChannelKind, isSame = false): Promise<Channel> {
		if (!isSame) this.#parts.tests.outdate(kind.channel.channel);
		this.#parts.onChanged();
		return await this.#view(kind);
	}

	async #view(kind: ChannelKind): Promise<Channel> {
		const { channel } = kind;
		const view = await channel.view();
		const basis = this.#basisOf(kind);
		const newest = basis === undefined ? undefined : this.#parts.tests.newest(channel.channel, basis);
		if (newest === undefined) return view;
		const { at, result } = newest;
		return { ...view, tested: { at, ok: result.ok, ...omitUndefined({ problem: result.problem }) } };
	}

	/** What a test of the channel depends on, as text; undefined if the files cannot be used. */
	#basisOf({ channel, basis = [] }: ChannelKind): string | undefined {
		const read = this.#parts.file.read(channel.channel);
		if (read.kind === "unusable") return undefined;
		const { settings, secrets } = read.stored;
		return canonicalJson({ settings, secrets, basis });
	}

	#kind(channel: ChannelId): ChannelKind {
		const kind = this.#parts.kinds.get(channel);
		if (kind === undefined) throw absentChannel(channel);
		return kind;
	}
}

/** The result shown for a test that has none: the bridge ended before the test did, or could not save its result. */
const unsaved: TestResult = {
	ok: false,
	steps: [
		{ step: "send", ok: false, message: "The result of this test was not saved, so it is unknown whether the test message was sent." },
	],
	tookMs: 0,
};

function refuseUnknown({ name }: ChannelKind, given: readonly string[], known: readonly string[], what: string): void {
	const unknown = given.find((each) => !known.includes(each));
	if (unknown === undefined) return;
	const all = known.length === 0 ? `Leave out the ${what}s.` : `Use one of these: ${known.join(", ")}.`;
	throw new ContractError("INVALID_PARAMS", {
		detail: `${name} has no ${what} ${unknown.replace(/[^\w.-]/g, "?").slice(0, 64)}.`,
		fix: all,
	});
}

/** The members of `change` replace those of `before`; `null` removes one. */
function merged<V>(before: Readonly<Record<string, V>>, change: Readonly<Record<string, V | null>>): Record<string, V> {
	const next: Record<string, V> = { ...before };
	for (const [name, value] of Object.entries(change)) {
		if (value === null) delete next[name];
		else next[name] = value;
	}
	return next;
}
