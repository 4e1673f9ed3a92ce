import { omitUndefined, type RunId, type ThreadId } from "@xworkmate/contracts";
import type { AppApi, SendRequest, SentTurn, TurnEvent } from "../../api/app-api.ts";
import { APP_GONE, AppStoppedError, RemoteAppError } from "../../api/remote-app.ts";
import type { Console } from "../parts/console.ts";
import { type ExitCode, exitCode, exitCodeOf } from "../words/exit-code.ts";
import { leavingLines, limitReached, stoppedLines } from "../words/runs/leaving-lines.ts";
import { notStopped } from "../words/runs/not-stopped.ts";
import { jsonDisplay, TextDisplay, type TurnDisplay } from "../words/runs/turn-display.ts";
import { ApprovalAnswers } from "./approval-answers.ts";
import { askToStop } from "./ask-to-stop.ts";
import { sendToIdle } from "./busy-thread.ts";
import { continuedAgent } from "./continued-agent.ts";
import { continuedPlace } from "./continued-place.ts";
import { leftTurn, untilTaken } from "./left-turn.ts";
import { removeRefused } from "./remove-refused.ts";
import { type RunFlags, toRunRequest } from "./run-request.ts";

interface CommandFlags extends RunFlags {
	/** True if the thread is kept even if its message is refused. */
	readonly keepsRefused: boolean;
	/** True if the message was read from standard input, so that the user can't be asked there. */
	readonly readsInput: boolean;
}

export interface RunContext {
	readonly console: Console;
	/** Uses the app of the home, whichever process currently owns it. */
	readonly withApp: <T>(use: (api: AppApi) => Promise<T>) => Promise<T>;
	/** Registers callbacks for the first Ctrl+C, and for a second one, which ends the process; returns a function that removes them. */
	readonly onInterrupt: (stop: () => void, leave?: () => void) => () => void;
}

/** How many times the app may exit before the command gives up. */
const TAKE_OVERS = 3;

/** `xworkmate run`: sends one turn and shows it until it ends, even if the app process that sent it exits. */
export async function runCommand(context: RunContext, prompt: string, flags: RunFlags): Promise<ExitCode> {
	const request = await toRunRequest(prompt, flags);
	// Text that was piped in may not exist anywhere else, so it is kept even if the message is refused.
	const readsInput = prompt === "-";
	using turn = new CommandTurn(context, request, { ...flags, keepsRefused: flags.thread !== undefined || readsInput, readsInput });
	for (let attempt = 1; ; attempt++) {
		try {
			return await context.withApp((api) => turn.follow(api));
		} catch (error) {
			if (isGone(error) && attempt <= TAKE_OVERS) continue;
			turn.sayUnstopped(error);
			if (turn.sayUnknown(error)) return exitCode.interrupted;
			throw error;
		}
	}
}

/** The turn of a command: what was sent, and how much of it has been shown. */
class CommandTurn implements Disposable {
	readonly #context: RunContext;
	readonly #request: SendRequest;
	readonly #flags: CommandFlags;
	/** Kept when the app whose request is being asked about exits, so that the answer goes to the app that takes over. */
	readonly #answers: ApprovalAnswers;
	#api: AppApi | undefined;
	#turn: SentTurn | undefined;
	#runId: RunId | undefined;
	#seen = 0;
	#isStopping = false;
	/** True once an app has saved the request to stop. */
	#stopTaken = false;
	/** Set when `--timeout` requested the stop. */
	#stoppedAfterMs: number | undefined;

	constructor(context: RunContext, request: SendRequest, flags: CommandFlags) {
		this.#context = context;
		this.#request = request;
		this.#flags = flags;
		this.#answers = new ApprovalAnswers({
			console: context.console,
			mode: flags.approve,
			canAsk: context.console.canAsk && !flags.readsInput,
			decide: async (decision) => {
				if (this.#api === undefined) throw new Error("There is no app to send the answer to.");
				return await this.#api.decideApproval(decision);
			},
		});
	}

	[Symbol.dispose](): void {
		this.#answers[Symbol.dispose]();
	}

	async follow(api: AppApi): Promise<ExitCode> {
		this.#api = api;
		const { console } = this.#context;
		const { json, detach } = this.#flags;
		this.#turn ??= detach === true ? await this.#send(api) : await this.#sendUnlessStopped(api);
		const { threadId } = this.#turn;
		if (detach === true) {
			await untilTaken(api, this.#turn);
			const { words, refused, code } = await leftTurn(api, this.#turn, this.#flags.keepsRefused);
			console.line(json === true ? JSON.stringify({ ...this.#turn, ...(refused !== undefined && { code: refused }) }) : words);
			return code;
		}
		const { folder } = await api.showThread({ threadId });
		const display = json === true ? jsonDisplay(console) : new TextDisplay(console, folder);
		const release = this.#listen(api, this.#turn);
		try {
			return await this.#show(api, this.#turn, display);
		} finally {
			release();
			display.stop();
		}
	}

	async #send(api: AppApi): Promise<SentTurn> {
		const { threadId } = this.#request;
		const { console } = this.#context;
		const shown = threadId === undefined ? undefined : await api.showThread({ threadId });
		const routed = continuedAgent(this.#request, shown?.agent, this.#flags, console);
		const request = this.#flags.cwd === false ? routed : continuedPlace(routed, shown?.place, console);
		const sent = await sendToIdle(api, threadId, () => api.send(request));
		if (shown?.thread.lifecycleStatus === "archived") console.note("The thread was archived, so it has been restored.");
		return sent;
	}

	/**
	 * Handles Ctrl+C while the message is being sent: the app may already have it, so the command requests the stop as soon as the app
	 * responds.
	 */
	async #sendUnlessStopped(api: AppApi): Promise<SentTurn> {
		const { threadId = this.#request.begins } = this.#request;
		const release = this.#context.onInterrupt(
			() => this.#sayStopping("Cancelling"),
			() => threadId !== undefined && this.#leave(threadId),
		);
		try {
			return await this.#send(api);
		} finally {
			release();
		}
	}

	async #show(api: AppApi, { threadId, turnId }: SentTurn, display: TurnDisplay): Promise<ExitCode> {
		for await (const event of api.watch({ threadId, turnId, afterSeq: this.#seen })) {
			if (event.type === "ended") {
				this.#answers[Symbol.dispose]();
				display.show(event, !this.#flags.keepsRefused && (await removeRefused(api, { threadId, turnId })));
				return endCode(event);
			}
			const approval = event.type === "update" && event.update.update.kind === "approval" ? event.update.update : undefined;
			if (approval !== undefined) this.#answers.drop(approval.approvalId);
			display.show(event);
			if (event.type !== "update") continue;
			this.#seen = event.update.seq;
			this.#runId = event.update.runId;
			if (approval !== undefined) void this.#answers.see(approval);
		}
		throw new Error("The app stopped reporting before the run ended.");
	}

	/** Ctrl+C and `--timeout` ask the run to stop. Returns a function that removes the handlers. */
	#listen(api: AppApi, turn: SentTurn): () => void {
		const { timeout } = this.#flags;
		const left = new AbortController();
		const stop = (why: string, pressed?: "twice") => this.#stop(api, turn, why, left.signal, pressed);
		const stopListening = this.#context.onInterrupt(
			() => stop("Cancelling"),
			() => this.#leave(turn.threadId),
		);
		const timer = timeout === undefined ? undefined : setTimeout(() => this.#timeOut(timeout, stop), timeout * 1000);
		// The app that received the request has exited, possibly without saving it.
		if (this.#isStopping && !this.#stopTaken) void this.#askToStop(api, turn, left.signal);
		return () => {
			left.abort();
			clearTimeout(timer);
			stopListening();
		};
	}

	#timeOut(timeout: number, stop: (why: string, pressed: "twice") => void): void {
		if (!this.#isStopping) this.#stoppedAfterMs = timeout * 1000;
		stop(limitReached(timeout), "twice");
	}

	/** Requests the stop and prints the notice, only once. Whether the run has stopped is known only when it ends. */
	#stop(api: AppApi, turn: SentTurn, why: string, left: AbortSignal, pressed?: "twice"): void {
		if (this.#isStopping) return;
		this.#sayStopping(why, pressed);
		void this.#askToStop(api, turn, left);
	}

	#sayStopping(why: string, pressed: "again" | "twice" = "again"): void {
		this.#isStopping = true;
		this.#context.console.note(`${why}… (Press Ctrl+C ${pressed} to leave without waiting. The run may then continue.)`);
	}

	/** Prints what to expect when the command exits before the run has ended. */
	#leave(threadId: ThreadId): void {
		for (const line of leavingLines({ threadId, runId: this.#runId })) this.#context.console.note(line);
	}

	async #askToStop(api: AppApi, { threadId, turnId }: SentTurn, signal: AbortSignal): Promise<void> {
		const { console } = this.#context;
		try {
			await askToStop(() => api.cancelTurn({ threadId, turnId, ...omitUndefined({ stoppedAfterMs: this.#stoppedAfterMs }) }), {
				console,
				threadId,
				signal,
			});
			this.#stopTaken = true;
		} catch (error) {
			// If the app has exited, the request goes to the next app. If there is none, the command says so and ends.
			if (!signal.aborted && !isGone(error)) console.note(`· ${notStopped(error, threadId)}`);
		}
	}

	/** Prints that the user stopped XWorkmate before this command saw the run end. False for another error, or if nothing was sent. */
	sayUnknown(error: unknown): boolean {
		if (this.#turn === undefined || !(error instanceof AppStoppedError)) return false;
		for (const line of stoppedLines(this.#turn.threadId)) this.#context.console.note(line);
		return true;
	}

	/** If the command gives up on the app, says what happens to a stop that was requested. */
	sayUnstopped(error: unknown): void {
		if (this.#turn === undefined || !this.#isStopping || this.#stopTaken) return;
		this.#context.console.note(`· ${notStopped(error, this.#turn.threadId)}`);
	}
}

function isGone(error: unknown): boolean {
	return error instanceof RemoteAppError && error.code === APP_GONE;
}

function endCode({ turn }: Extract<TurnEvent, { type: "ended" }>): ExitCode {
	switch (turn.status) {
		case "refused":
			return exitCode.beforeRun;
		case "unresolved":
		case "waiting":
		case "sending":
			return exitCode.interrupted;
		default:
			return exitCodeOf(turn.status, turn.syncStatus);
	}
}
