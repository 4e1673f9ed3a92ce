import { type IntegrationId, type PolicyDecision, spanWords, type ToolProblem } from "@xworkmate/contracts";
import type { HostedCall } from "../../ports/tools/tool-hosts.ts";
import type { Frame } from "../../processes/frames/frame.ts";
import { type FrameListener, FrameProcess, type FrameProcessDeps, type ProcessEnd } from "../../processes/frames/frame-process.ts";
import { type DeclaredTool, type HostMessage, type HostRequest, JSON_BYTES } from "../host/host-messages.ts";
import { hostCommand } from "./host-command.ts";
import { HostMessageError, parseDeclaredTools, parseHostMessage, parseProblems } from "./parse-host-message.ts";
import type { SourceFile } from "./tool-version.ts";

/** Enough for one text, its head, and their lengths. */
const MAX_FRAME_BYTES = JSON_BYTES + 64 * 1024;

export interface HostBounds {
	readonly startMs: number;
	readonly importMs: number;
	/** The time limit for checking an input, and separately for each of the tool's own functions, `describe` and `policy`. */
	readonly examineMs: number;
	/** How long a call that was cancelled or timed out has to end before its process is killed. */
	readonly cancelMs: number;
}

export const hostBounds: HostBounds = { startMs: 10_000, importMs: 5_000, examineMs: 1_000, cancelMs: 5_000 };

export type LoadResult =
	| { readonly kind: "loaded"; readonly tools: readonly DeclaredTool[] }
	/** `isLate`: the process took too long, which may be the machine's fault. */
	| { readonly kind: "problems"; readonly problems: readonly ToolProblem[]; readonly isLate?: boolean };

/** The result as the process reports it; the bridge has not validated the value yet. */
export type RawExamined =
	| { readonly kind: "valid"; readonly json: string; readonly words?: string; readonly policy: PolicyDecision | "failed" | "none" }
	| { readonly kind: "invalid" | "lost"; readonly message: string };

type Returned = Extract<HostMessage, { kind: "returned" }>;
export type RawOutcome =
	| { readonly kind: "returned"; readonly outcome: Returned["outcome"]; readonly code?: Returned["code"]; readonly text: string }
	/** `uncalled`: the process had already ended, so the handler was not called. `lost`: it ended during the call. */
	| { readonly kind: "uncalled" | "lost" | "timeout" | "cancelled"; readonly message: string };

type Heard = (message: HostMessage, text: string | undefined) => void;
interface Waiting {
	readonly heard: Heard;
	readonly lost: (message: string) => void;
}

/** One process with the tools of one version of an integration. After a failure it is never used again. */
export class HostProcess implements FrameListener {
	readonly #process: FrameProcess;
	readonly #bounds: HostBounds;
	readonly #waiting = new Map<number, Waiting>();
	#lastId = 0;
	/** Why the process is gone; undefined while it is running. */
	#lost: string | undefined;
	/** Receives the messages of a load. */
	#loading: Waiting | undefined;

	private constructor(process: FrameProcess, bounds: HostBounds) {
		this.#process = process;
		this.#bounds = bounds;
	}

	/** @throws SpawnError, and errors of the ledger */
	static async start(integration: IntegrationId, dataFolder: string, deps: FrameProcessDeps, bounds: HostBounds): Promise<HostProcess> {
		return new HostProcess(await FrameProcess.start(hostCommand(integration, dataFolder), deps, MAX_FRAME_BYTES), bounds);
	}

	get alive(): boolean {
		return this.#lost === undefined && this.#process.alive;
	}

	/** How many calls and examinations the process has not answered. */
	get open(): number {
		return this.#waiting.size;
	}

	/** Imports the sources. Call it once, before anything else. Kills the process if it fails to load them. */
	async load(integration: IntegrationId, dataFolder: string, files: readonly SourceFile[]): Promise<LoadResult> {
		const { startMs, importMs } = this.#bounds;
		const { promise, resolve } = Promise.withResolvers<LoadResult>();
		let file: string | undefined;
		const fail = (code: "IMPORT_TIMEOUT" | "HOST_LOST", message: string, isLate: boolean) => {
			const problem = { code, message: message.slice(0, 2_000), ...(file === undefined ? {} : { file }) };
			resolve({ kind: "problems", problems: [problem], isLate });
		};
		let timer = setTimeout(() => fail("HOST_LOST", `Its process was not ready within ${startMs / 1000} s.`, true), startMs);
		this.#loading = {
			lost: (message) => fail("HOST_LOST", message, false),
			heard: (message, text) => {
				if (message.kind === "ready") {
					clearTimeout(timer);
					timer = setTimeout(() => fail("IMPORT_TIMEOUT", `The import took longer than ${importMs / 1000} s.`, true), importMs);
					this.#send({ kind: "load", integration, dataFolder }, JSON.stringify(files.map(({ path, text: source }) => [path, source])));
				} else if (message.kind === "importing") file = text?.slice(0, 1_000);
				else if (message.kind === "loaded") resolve({ kind: "loaded", tools: parseDeclaredTools(text, integration) });
				else resolve({ kind: "problems", problems: parseProblems(text) });
			},
		};
		this.#process.listen(this);
		const result = await promise;
		clearTimeout(timer);
		this.#loading = undefined;
		if (result.kind === "problems") await this.kill("it did not load");
		return result;
	}

	/** Checks an input, and asks the tool for its description of the call and its policy. Kills a process that does not answer in time. */
	async examine(method: string, json: string): Promise<RawExamined> {
		const { promise, resolve } = Promise.withResolvers<RawExamined>();
		let parsed: string | undefined;
		let described: { readonly words?: string } | undefined;
		const tooLong = `took longer than ${this.#bounds.examineMs / 1000} s`;
		const late = () => {
			// Without a decision by the tool's own rule, the call is denied.
			if (parsed === undefined) resolve({ kind: "lost", message: `The check of the input ${tooLong}.` });
			else resolve({ kind: "valid", json: parsed, policy: "failed", ...described });
			void this.kill(`preparing a call of ${method} ${tooLong}`);
		};
		let timer = setTimeout(late, this.#bounds.examineMs);
		const id = this.#wait({
			lost: (message) => resolve({ kind: "lost", message }),
			heard: (message, text) => {
				clearTimeout(timer);
				timer = setTimeout(late, this.#bounds.examineMs);
				// Each kind of message is accepted only once, and only in this order, so a process can't extend the limit indefinitely.
				if (message.kind === "parsed" && parsed === undefined) {
					if (message.valid) parsed = text ?? "";
					else resolve({ kind: "invalid", message: text ?? "" });
				} else if (message.kind === "described" && parsed !== undefined && described === undefined) {
					described = text === undefined ? {} : { words: text };
				} else if (message.kind === "ruled" && parsed !== undefined && described !== undefined) {
					resolve({ kind: "valid", json: parsed, policy: message.policy, ...described });
				} else throw new HostMessageError("it answered in the wrong order");
			},
		});
		if (this.alive) this.#send({ kind: "examine", id, method }, json);
		else resolve({ kind: "lost", message: this.#lost ?? "Its process has ended." });
		return promise.finally(() => {
			clearTimeout(timer);
			this.#waiting.delete(id);
		});
	}

	/** Calls a handler. If a call that was cancelled or timed out does not end, its process is killed. */
	async call(
		method: string,
		{ input: _input, ...call }: HostedCall,
		json: string,
		secrets: string,
		timeoutMs: number,
		signal: AbortSignal,
	): Promise<RawOutcome> {
		if (!this.alive) return { kind: "uncalled", message: this.#lost ?? "Its process has ended." };
		const { promise, resolve } = Promise.withResolvers<RawOutcome>();
		let over: "timeout" | "cancelled" | undefined;
		let grace: NodeJS.Timeout | undefined;
		const id = this.#wait({
			lost: (message) => resolve({ kind: "lost", message }),
			heard: (message, text = "") => {
				if (message.kind !== "returned") throw new HostMessageError("it sent the wrong kind of answer");
				const { outcome, code } = message;
				resolve({ kind: "returned", outcome, text, ...(code === undefined ? {} : { code }) });
			},
		});
		const stop = (why: "timeout" | "cancelled", message: string) => {
			if (over !== undefined) return;
			over = why;
			this.#send({ kind: "abort", id });
			grace = setTimeout(() => {
				resolve({ kind: why, message });
				void this.kill(`${method} did not stop within ${this.#bounds.cancelMs / 1000} s`);
			}, this.#bounds.cancelMs);
		};
		const timer = setTimeout(() => stop("timeout", `${method} did not finish within ${spanWords(timeoutMs)}.`), timeoutMs);
		const cancel = () => stop("cancelled", `${method} was cancelled and did not stop.`);
		this.#send({ kind: "call", id, method, ...call }, json, secrets);
		signal.addEventListener("abort", cancel, { once: true });
		if (signal.aborted) cancel();
		const outcome = await promise;
		clearTimeout(timer);
		clearTimeout(grace);
		signal.removeEventListener("abort", cancel);
		this.#waiting.delete(id);
		// A handler that was aborted because it timed out may still return a failure. The call is then reported as a timeout.
		if (over === "timeout" && outcome.kind === "returned" && outcome.outcome !== "succeeded")
			return { kind: "timeout", message: outcome.text };
		return outcome;
	}

	heard(frame: Frame): undefined {
		try {
			const { message, text } = parseHostMessage(frame);
			const waiting = "id" in message ? this.#waiting.get(message.id) : this.#loading;
			if (waiting === undefined) throw new HostMessageError("it sent an unexpected message");
			waiting.heard(message, text);
		} catch (error) {
			if (!(error instanceof HostMessageError)) throw error;
			void this.kill(`${error.message}`);
		}
	}

	gone({ errors, status, cause }: ProcessEnd): void {
		const how =
			cause instanceof Error ? cause.message : status?.signal ? `signal ${status.signal}` : `exit code ${status?.code ?? "unknown"}`;
		// What the process printed is quoted only while it is loading, because later output may contain a secret.
		const said = this.#loading === undefined || errors.trim() === "" ? "" : ` It said: ${errors.trim().slice(0, 1_000)}`;
		this.#fail(`Its process ended (${how}).${said}`);
		// Ends what the process started, and removes its record from the list of child processes.
		void this.#process.kill();
	}

	/** Kills the process. Every call, examination or load that is waiting for it ends as lost. */
	kill(why: string): Promise<void> {
		this.#fail(`Its process was terminated: ${why}.`);
		return this.#process.kill();
	}

	#fail(message: string): void {
		this.#lost ??= message;
		this.#loading?.lost(message);
		for (const waiting of [...this.#waiting.values()]) waiting.lost(message);
	}

	#wait(waiting: Waiting): number {
		this.#lastId += 1;
		this.#waiting.set(this.#lastId, waiting);
		return this.#lastId;
	}

	#send(request: HostRequest, ...texts: readonly string[]): void {
		this.#process.send(request, texts);
	}
}
