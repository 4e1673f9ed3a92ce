import { ThreadId, Update } from "@xworkmate/contracts";
import { expect, it } from "vitest";
import { AppEvents } from "../../src/threads/app-events.ts";
import { CurrentSteps } from "../../src/threads/current-steps.ts";

it("names the step of a run by its command, whatever its agent calls it", () => {
	const events = new AppEvents();
	const steps = new CurrentSteps(events);
	const threadId = ThreadId.parse("thread1");
	const call = { kind: "tool_call", toolCallId: "t1", title: "List files", toolKind: "execute", state: "running" };
	const update = Update.parse({ ...call, input: { text: '{"command":"rm -r old"}', truncated: false } });
	events.emit("threadWritten", { threadId, after: { pendingTurnId: "turn-1" }, updates: { items: [{ update }] } } as never);
	expect(steps.of(threadId)).toBe("rm -r old");
	steps.close();
});
