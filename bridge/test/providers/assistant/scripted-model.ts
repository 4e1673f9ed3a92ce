import { AuthProfileId, type ModelProvider, type Unavailable } from "@xworkmate/contracts";
import type { Accounts, AfterFailure, NoAccount, RunAccounts, UsableAccount } from "../../../src/ports/models/accounts.ts";
import type {
	ModelClient,
	ModelCredential,
	ModelFailure,
	ModelPart,
	ModelReply,
	ModelRequest,
} from "../../../src/ports/models/model-client.ts";

/** What the model does with one request: its reply, or what goes wrong. */
export type Play = (request: ModelRequest, onText: (text: string) => void, signal: AbortSignal) => Promise<ModelReply> | ModelReply;

let calls = 0;

export const says = (text: string): ModelReply => ({ parts: [{ kind: "text", text }], stop: "ended", usage: {} });
export const wants = (tool: string, input: unknown, more: Partial<Extract<ModelPart, { kind: "call" }>> = {}): ModelReply => ({
	parts: [{ kind: "call", callId: `c${++calls}`, tool, input, ...more }],
	stop: "calls",
	usage: { inputTokens: 10, outputTokens: 5 },
});
export const runs = (program: string) => wants("execute", { program });
export const answers = (...segments: readonly ({ text: string } | { receiptId: string })[]) => wants("answer", { segments });
export const nothing: ModelReply = { parts: [], stop: "ended", usage: {} };

/** What the model was told last. */
export function toldIn({ messages }: ModelRequest): string {
	const last = messages.at(-1);
	if (last?.role === "tools") return last.results.map(({ text }) => text).join("\n");
	return last?.role === "user" ? last.text : "";
}

/** The receipt ids in what the model was told last. */
export const receiptsIn = (request: ModelRequest): readonly string[] => toldIn(request).match(/run-[a-z0-9]+\.\d+/g) ?? [];

/** A model that does what the test says, request by request; it outlives every bridge of the test. */
export class ScriptedModel implements ModelClient {
	readonly provider: ModelProvider = "anthropic";
	readonly requests: ModelRequest[] = [];
	readonly credentials: ModelCredential[] = [];
	/** The next ones; the last is kept. */
	plays: Play[] = [];

	will(...plays: readonly (Play | ModelReply)[]): this {
		this.plays.push(...plays.map((play) => (typeof play === "function" ? play : () => play)));
		return this;
	}

	async ask(request: ModelRequest, credential: ModelCredential, onText: (text: string) => void, signal: AbortSignal): Promise<ModelReply> {
		this.requests.push(structuredClone(request));
		this.credentials.push(credential);
		const play = this.plays.shift();
		if (play === undefined) throw new Error("the model was asked once more than the test says");
		const reply = await Promise.race([play(request, onText, signal), rejectedBy(signal)]);
		for (const part of reply.parts) if (part.kind === "text") onText(part.text);
		return reply;
	}

	/** What the server does when it is asked for its models. */
	list: (signal: AbortSignal) => Promise<readonly string[]> = async () => ["listed-model"];

	models(_credential: ModelCredential, signal: AbortSignal): Promise<readonly string[]> {
		return this.list(signal);
	}
}

/** Never answers: rejects once it is stopped. */
export function rejectedBy(signal: AbortSignal): Promise<never> {
	return new Promise((_resolve, reject) => {
		if (signal.aborted) reject(signal.reason);
		else signal.addEventListener("abort", () => reject(signal.reason), { once: true });
	});
}

const account = (name: string): UsableAccount => ({
	profileId: AuthProfileId.parse(`anthropic:${name}`),
	provider: "anthropic",
	credential: { type: "token", secret: `secret-of-${name}` },
});

/** Accounts in memory: one that is limited or refused gives way to the next. */
export class MemoryAccounts implements Accounts {
	readonly failures: string[] = [];
	readonly succeededWith: string[] = [];
	names: readonly string[] = ["one"];
	refuses: NoAccount | undefined;
	opened: (readonly [ModelProvider, string, string | undefined])[] = [];

	/** What is wrong with the file of the accounts. */
	fault: Unavailable | undefined;

	async problem(): Promise<Unavailable | undefined> {
		return this.fault;
	}

	async providers(): Promise<readonly ModelProvider[]> {
		return this.names.length === 0 ? [] : ["anthropic"];
	}

	async open(provider: ModelProvider, model: string, pinned?: string): Promise<RunAccounts | NoAccount> {
		this.opened.push([provider, model, pinned]);
		if (this.refuses !== undefined) return this.refuses;
		let at = 0;
		const current = () => account(this.names[at] ?? "none");
		return {
			current: current(),
			succeeded: async (asked) => {
				this.succeededWith.push(asked);
			},
			failed: async ({ kind }: ModelFailure): Promise<AfterFailure> => {
				this.failures.push(`${this.names[at]} ${kind}`);
				if (kind === "refused") return { kind: "failed" };
				if (kind === "overloaded" || kind === "network" || kind === "broken") return { kind: "again", waitMs: 1 };
				const from = current().profileId;
				at += 1;
				if (at >= this.names.length) return { kind: "none", why: { code: "PROVIDER_LIMITED", message: "Every account is limited." } };
				return { kind: "rotated", from, to: current(), reason: kind, cause: kind };
			},
		};
	}
}
