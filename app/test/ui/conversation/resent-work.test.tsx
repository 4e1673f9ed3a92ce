import { cleanup, render } from "@testing-library/react";
import { OriginId, RunId, ThreadId, TurnId } from "@xworkmate/contracts";
import { afterEach, expect, it } from "vitest";
import { Conversation } from "../../../src/ui/conversation/conversation.tsx";
import { ThreadReader } from "../../../src/ui/follow/thread-reader.ts";
import { FakeApp } from "../../support/fake-app.ts";
import { until } from "../../support/until.ts";
import { InApp } from "../in-app.tsx";
import { ended, snapshot, stage, summary } from "../stories.ts";

afterEach(cleanup);

it("a thread's page says of a plan's interrupted run that its work was started again", async () => {
	using app = new FakeApp();
	const threadId = ThreadId.parse("thread1");
	const reader = new ThreadReader(threadId);
	const origin = { kind: "plan", id: OriginId.parse("p1") } as const;
	const turn = (name: string, change: Parameters<typeof ended>[0], end: Parameters<typeof snapshot>[0]) => {
		const one = ended({ turnId: TurnId.parse(name), runId: RunId.parse(`run-of-${name}`), ...change }, snapshot(end, []));
		return { ...one, request: { ...one.request, origin } };
	};
	const cut = { status: "interrupted", code: "BRIDGE_RESTARTED" } as const;
	const turns = [turn("p1-1-1", { status: cut.status, resultDetail: cut }, { ...cut, success: false }), turn("p1-1-2", {}, {})];
	app.answers.set("readThread", () => ({
		thread: { ...summary("thread1", 5), sessionId: threadId, lastTaskArtifactRelativePaths: [], turns: [], deleted: false },
		...{ turns, folder: "/x", queued: [], queueHeld: false },
	}));
	app.answers.set("readUpdates", () => ({ updates: [stage(1, "working")], more: false }));
	await reader.read();
	render(<Conversation reader={reader} summary={undefined} openFile={() => {}} openPanel={() => {}} />, { wrapper: new InApp().wrapper });
	await until("both ends are there", () => document.querySelectorAll("[data-outcome]").length === 2);
	expect(document.querySelector("[data-outcome]")?.textContent).toContain("The plan’s work was started again.");
	expect(document.body.textContent).not.toContain("Nothing was resent");
	reader.close();
});
