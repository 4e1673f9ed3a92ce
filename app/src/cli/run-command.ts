import { text } from "node:stream/consumers";
import { ExecutionTarget, ProviderId, Routing, ThreadId } from "@xworkmate/contracts";
import { AppError } from "../app-error.ts";
import type { AppApi, SendRequest, SentTurn, TurnEvent } from "../core/app-api.ts";
import { ApprovalAnswers, type ApproveMode } from "./approval-answers.ts";
import type { Console } from "./console.ts";
import { type ExitCode, exitCode, exitCodeOf } from "./exit-code.ts";
import { readAttachments } from "./read-attachments.ts";
import { jsonDisplay, TextDisplay, type TurnDisplay } from "./turn-display.ts";

/** The flags of `xworkmate run`, as commander gives them. */
export interface RunFlags {
	readonly thread?: string;
	readonly target: string;
	readonly provider?: string;
	readonly model?: string;
	readonly cwd?: string;
	readonly require: readonly string[];
	readonly attach: readonly string[];
	readonly approve: ApproveMode;
	readonly timeout?: number;
	readonly detach?: boolean;
	readonly json?: boolean;
}

export interface RunContext {
	readonly api: AppApi;
	readonly console: Console;
	/** Calls back on Ctrl-C; returns the way to stop listening. */
	readonly onInterrupt: (listener: () => void) => () => void;
}

/** `xworkmate run`: sends one turn and shows it to its end. */
export async function runCommand(context: RunContext, prompt: string, flags: RunFlags): Promise<ExitCode> {
	const { api, console } = context;
	const sent = await api.send(await toRequest(prompt, flags));
	if (flags.detach === true) {
		console.line(
			flags.json === true ? JSON.stringify(sent) : `thread ${sent.threadId}, turn ${sent.turnId}: xworkmate threads show ${sent.threadId}`,
		);
		return exitCode.success;
	}
	const { folder } = await api.showThread(sent.threadId);
	const display = flags.json === true ? jsonDisplay(console) : new TextDisplay(console, folder);
	try {
		return await follow(context, sent, flags, display);
	} finally {
		display.stop();
	}
}

async function follow(context: RunContext, sent: SentTurn, flags: RunFlags, display: TurnDisplay): Promise<ExitCode> {
	const { api, console } = context;
	const stop = stopper(context, sent);
	const answers = new ApprovalAnswers(api, console, flags.approve);
	const stopListening = context.onInterrupt(() => stop("Cancelling"));
	const timer =
		flags.timeout === undefined ? undefined : setTimeout(() => stop(`${flags.timeout} s are over, cancelling`), flags.timeout * 1000);
	try {
		for await (const event of api.watch(sent.threadId, sent.turnId)) {
			display.show(event);
			if (event.type === "update" && event.update.update.kind === "approval") {
				answers.see(event.update.update).catch((error: unknown) => console.note(`· the answer did not arrive: ${String(error)}`));
			}
			if (event.type === "ended") return endCode(event);
		}
	} finally {
		clearTimeout(timer);
		stopListening();
	}
	return exitCode.beforeRun;
}

/** Asks the run to stop, once, and says so; only its end says that it did. */
function stopper({ api, console }: RunContext, { threadId, turnId }: SentTurn): (why: string) => void {
	let asked = false;
	return (why) => {
		if (asked) return;
		asked = true;
		console.note(`${why}… (Ctrl-C again leaves; the task goes on in the bridge)`);
		api.cancelTurn(threadId, turnId).catch((error: unknown) => console.note(`· the cancel did not arrive: ${String(error)}`));
	};
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
			return exitCodeOf(turn.status);
	}
}

async function toRequest(prompt: string, flags: RunFlags): Promise<SendRequest> {
	const words = prompt === "-" ? await text(process.stdin) : prompt;
	if (words.trim() === "") throw new AppError("INVALID_INPUT", "the prompt is empty", 'Type one: xworkmate run "..."');
	const attachments = await readAttachments(flags.attach);
	return {
		...(flags.thread === undefined ? {} : { threadId: ThreadId.parse(flags.thread) }),
		prompt: words,
		routing: toRouting(flags),
		...(flags.cwd === undefined ? {} : { workingDirectory: flags.cwd }),
		...(flags.require.length === 0 ? {} : { require: flags.require }),
		...(attachments.length === 0 ? {} : { attachments }),
	};
}

function toRouting({ target, provider, model }: RunFlags): Routing {
	return Routing.parse({
		executionTarget: ExecutionTarget.parse(target),
		...(provider === undefined ? {} : { providerId: ProviderId.parse(provider) }),
		...(model === undefined ? {} : { model }),
	});
}
