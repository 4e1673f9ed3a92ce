import { receiveFrame, sendFrame } from "../../processes/frames/blocking-pipe.ts";
import { EngineRun } from "./engine-run.ts";
import type { AnswerMessage, RunMessage } from "./program-messages.ts";

/*
 * The process of programs: one after another, each in its own engine. It stands still while it waits, for
 * the next program as for the answer to a call: there is nothing else for it to do. It is ended from outside, and
 * on its own when the bridge is gone.
 */
for (let frame = receiveFrame(); frame !== undefined; frame = receiveFrame()) {
	// The bridge is trusted, and nothing else can write here.
	const message = frame.head as RunMessage | AnswerMessage;
	// Sent before the bridge knew that the program had ended without waiting for all of its calls.
	if (message.kind === "answer") continue;
	await using run = await EngineRun.open(message);
	await run.toItsEnd(Buffer.from(frame.texts[0] ?? []).toString("utf8"));
	if (!run.leavesRoom) break;
	sendFrame({ kind: "ready" });
}
process.exit(0);
