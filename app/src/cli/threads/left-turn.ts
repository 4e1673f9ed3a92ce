import { setTimeout as delay } from "node:timers/promises";
import type { AppApi, SentTurn } from "../../api/app-api.ts";
import { commandLine } from "../../text/command-line.ts";
import { oneLine, printable } from "../../text/printable.ts";
import { findTurn, QUEUE_FULL } from "../../threads/index.ts";
import { type ExitCode, exitCode } from "../words/exit-code.ts";
import { describeQueue } from "../words/runs/describe-queue.ts";
import { removedWords } from "../words/runs/removed-words.ts";
import { terminalFix } from "../words/terminal-fix.ts";
import { removeRefused } from "./remove-refused.ts";

/** The bridge normally accepts a turn at once; the command waits at most this long. */
const TAKEN_WITHIN_MS = 20_000;

interface Left {
	readonly words: string;
	/** Why the turn was not sent. */
	readonly refused?: string;
	readonly code: ExitCode;
}

/** Resolves when the bridge has the turn, when the turn is queued, when it is clear that it will not be sent, or after a time limit. */
export async function untilTaken(api: AppApi, { threadId, turnId }: SentTurn): Promise<void> {
	const events = api.watch({ threadId, turnId })[Symbol.asyncIterator]();
	const taken = async () => {
		for (let next = await events.next(); next.done !== true; next = await events.next()) {
			if (next.value.type !== "connection_lost") return;
		}
	};
	const gaveUp = new AbortController();
	const late = delay(TAKEN_WITHIN_MS, undefined, { signal: gaveUp.signal }).catch(() => undefined);
	await Promise.race([taken(), late]);
	gaveUp.abort();
	// Not awaited, because it ends only after an event that may never arrive.
	void events.return?.();
}

/**
 * What `--detach` leaves behind: a run in the bridge, a turn in the app's queue, or neither. A new thread whose message was refused is
 * removed unless `keepsRefused`.
 */
export async function leftTurn(api: AppApi, { threadId, turnId }: SentTurn, keepsRefused: boolean): Promise<Left> {
	const { thread, gatewayQueue } = await api.showThread({ threadId });
	const turn = findTurn(thread, turnId);
	const see = `See the thread: ${commandLine(`threads show ${oneLine(threadId, 200)}`)}`;
	const onceStarted = `XWorkmate must be running to send the message. To start it: ${commandLine("start")}. ${see}`;
	const full = thread.pendingTurnId === undefined && thread.lastResultCode === QUEUE_FULL;
	if (full) {
		const words = `Not sent because the OpenClaw queue is full (${QUEUE_FULL}). ${see}`;
		return { words, refused: QUEUE_FULL, code: exitCode.beforeRun };
	}
	if (turn?.status === "refused") {
		const { code = "REFUSED", message = "", fix } = turn.resultDetail ?? {};
		const advice = printable(terminalFix(code, fix) ?? "");
		const isRemoved = !keepsRefused && (await removeRefused(api, { threadId, turnId }));
		return {
			words: [`Not sent (${code}).`, printable(message), advice, isRemoved ? removedWords : see].filter((part) => part !== "").join(" "),
			refused: code,
			code: exitCode.beforeRun,
		};
	}
	if (gatewayQueue !== undefined)
		return { words: `Saved, ${describeQueue(gatewayQueue).replace(/\.$/, "")}. ${onceStarted}`, code: exitCode.success };
	if (turn?.status === "sending") return { words: `Saved, but not yet accepted by the bridge. ${onceStarted}`, code: exitCode.success };
	return { words: `Sent. ${see}`, code: exitCode.success };
}
