import { createHash, randomBytes } from "node:crypto";
import { join } from "node:path";
import { ChannelId, ChannelTestStep, ContractError, RequestId, Sha256, Timestamp, Unavailable } from "@xworkmate/contracts";
import { z } from "zod";
import { KeptFile } from "../../auth/kept-file.ts";

const FILE = "channel-tests.json";
const MOST = 50;

const TestResult = z.strictObject({
	ok: z.boolean(),
	steps: z.array(z.strictObject(ChannelTestStep.shape)),
	problem: z.strictObject(Unavailable.shape).optional(),
	tookMs: z.int().min(0),
});
export type TestResult = z.infer<typeof TestResult>;

const ChannelTest = z.strictObject({
	requestId: RequestId,
	channel: ChannelId,
	/** A contact's id. */
	recipient: z.string().max(64).optional(),
	at: Timestamp,
	/** How the test ended. Absent if it has not ended, or if the bridge ended first or could not save the result. */
	result: TestResult.optional(),
	/**
	 * A digest of the settings and secrets that were tested, to detect changes that users make in the files. The salt makes the digests of
	 * equal secrets differ. If absent, an earlier version made the test.
	 */
	basis: z.strictObject({ salt: z.string().max(64), sha256: Sha256 }).optional(),
	/** True if the settings have changed, or the channel has refused a message for a reason of its own, since the test. */
	isOld: z.literal(true).optional(),
});
export type ChannelTest = z.infer<typeof ChannelTest>;

const Content = z.strictObject({ version: z.literal(1), tests: z.array(ChannelTest).prefault([]) });
type Content = z.infer<typeof Content>;

/** The last tests of channels. Each is recorded before its message is sent, so that repeating a recent request sends no second message. */
export class ChannelTests {
	readonly #file: KeptFile<Content>;

	constructor(folder: string) {
		this.#file = new KeptFile<Content>({
			path: join(folder, FILE),
			schema: Content,
			empty: { version: 1, tests: [] },
			code: "CHANNEL_TESTS",
			again: "test the channels again",
			owner: process.getuid?.(),
			refusal: ({ message, fix }) => new ContractError("CHANNEL_UNAVAILABLE", { detail: message, fix }),
		});
		this.#file.removeLeftovers();
	}

	find(requestId: RequestId): ChannelTest | undefined {
		return this.#tests().find((test) => test.requestId === requestId);
	}

	/** The newest finished test of a channel with its current settings. `basis`: what a test depends on now, as text. */
	newest(channel: ChannelId, basis: string): { readonly at: Timestamp; readonly result: TestResult } | undefined {
		const test = this.#newest(channel);
		if (test?.result === undefined || (test.basis !== undefined && digestOf(basis, test.basis.salt) !== test.basis.sha256))
			return undefined;
		return { at: test.at, result: test.result };
	}

	/** @throws ContractError CHANNEL_UNAVAILABLE if the file cannot be used */
	begin(test: ChannelTest, basis: string): void {
		const salt = randomBytes(16).toString("hex");
		const begun = { ...test, basis: { salt, sha256: digestOf(basis, salt) } };
		this.#change((tests) => [...tests, begun].slice(-MOST));
	}

	/** @throws ContractError CHANNEL_UNAVAILABLE if the file cannot be used */
	end(requestId: RequestId, result: TestResult): void {
		this.#change((tests) => tests.map((test) => (test.requestId === requestId ? { ...test, result } : test)));
	}

	/**
	 * Marks the channel's tests as outdated: when its settings have changed, and when it has refused a message for a reason that concerns the
	 * channel itself. `at`: the time since when they are outdated, if it is not now: a test that began later stays.
	 */
	outdate(channel: ChannelId, at?: Timestamp): void {
		const newest = this.#newest(channel);
		if (newest === undefined || (at !== undefined && newest.at > at)) return;
		this.#change((tests) => tests.map((test) => (test.channel === channel ? { ...test, isOld: true as const } : test)));
	}

	#newest(channel: ChannelId): ChannelTest | undefined {
		return this.#tests().findLast((each) => each.channel === channel && each.result !== undefined && each.isOld === undefined);
	}

	#tests(): readonly ChannelTest[] {
		const read = this.#file.read();
		return read.kind === "content" ? read.content.tests : [];
	}

	#change(change: (tests: ChannelTest[]) => ChannelTest[]): void {
		this.#file.change(({ tests }) => ({ version: 1, tests: change(tests) }));
	}
}

function digestOf(basis: string, salt: string): Sha256 {
	return createHash("sha256").update(`${salt} ${basis}`).digest("hex");
}
