import { cleanup, render } from "@testing-library/react";
import { ProviderId, RunId, ThreadId, TurnId } from "@xworkmate/contracts";
import { afterEach, expect, it } from "vitest";
import { Conversation } from "../../../src/ui/conversation/conversation.tsx";
import { ThreadReader } from "../../../src/ui/follow/thread-reader.ts";
import { FakeApp } from "../../support/fake-app.ts";
import { until } from "../../support/until.ts";
import { InApp } from "../in-app.tsx";
import { ended, snapshot, stage, summary, update } from "../stories.ts";

const threadId = ThreadId.parse("thread1");

afterEach(cleanup);

/** The header of a run that failed after these updates, for which a model was chosen. */
async function headerOf(updates: readonly unknown[], last = ""): Promise<string> {
	using app = new FakeApp();
	const reader = new ThreadReader(threadId);
	const provider = { target: "agent", providerId: ProviderId.parse("codex"), model: "gpt-9" } as const;
	const turn = { turnId: TurnId.parse("a"), runId: RunId.parse("run1"), status: "failed" } as const;
	const turns = [ended(turn, snapshot({ status: "failed", success: false, provider }, []))];
	app.answers.set("readThread", () => ({
		thread: { ...summary("thread1", 5), sessionId: threadId, lastTaskArtifactRelativePaths: [], turns: [], deleted: false },
		...{ turns, folder: "/x", queued: [], queueHeld: false },
	}));
	app.answers.set("readUpdates", () => ({ updates, more: false }));
	await reader.read();
	render(<Conversation reader={reader} summary={undefined} openFile={() => {}} openPanel={() => {}} />, { wrapper: new InApp().wrapper });
	await until("the end is there", () => document.querySelector("[data-outcome]") !== null);
	await until("its updates are there", () => app.of("readUpdates").length > 0 && document.body.textContent?.includes(last) === true);
	const header = document.querySelector(".who")?.textContent ?? "";
	reader.close();
	return header;
}

it("a run that failed before its agent said anything names its model as the one that was chosen, not as one that was used", async () => {
	expect(await headerOf([stage(1, "starting")])).toContain("gpt-9 (chosen)");
	cleanup();
	const header = await headerOf(
		[stage(1, "starting"), update(2, { kind: "message_delta", messageId: "m1", text: "I begin." })],
		"I begin.",
	);
	expect(header).toContain("gpt-9");
	expect(header).not.toContain("chosen");
});
