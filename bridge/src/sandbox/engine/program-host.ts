import { receiveFrame, sendFrame } from "../../processes/frames/blocking-pipe.ts";
import { EngineRun } from "./engine-run.ts";
import type { AnswerMessage, RunMessage, ToolFace } from "./program-messages.ts";

/*
 * The process that runs programs one after another, each in its own engine. It blocks while it waits for the next program or for the answer
 * to a call, because it has nothing else to do. The bridge ends it; it also ends when the bridge is gone, or when its own memory has
 * grown large.
 */
for (let frame = receiveFrame(); frame !== undefined; frame = receiveFrame()) {
	// Only the trusted bridge can write here.
	const message = frame.head as RunMessage | AnswerMessage;
	// The answer was sent before the bridge knew that the program had ended without waiting for all of its calls.
	if (message.kind === "answer") continue;
	await using run = await EngineRun.open(message);
	const [source = "", tools = "[]"] = frame.texts.map((text) => Buffer.from(text).toString("utf8"));
	await run.toItsEnd(source, JSON.parse(tools) as ToolFace[]);
	if (!run.leavesRoom) break;
	sendFrame({ kind: "ready" });
}
process.exit(0);
