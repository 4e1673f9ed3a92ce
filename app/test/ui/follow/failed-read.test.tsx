import { act, cleanup, render, screen } from "@testing-library/react";
import { ThreadId } from "@xworkmate/contracts";
import { afterEach, beforeEach, expect, it } from "vitest";
import { Conversation } from "../../../src/ui/conversation/conversation.tsx";
import { useThreadReader } from "../../../src/ui/follow/use-thread-reader.ts";
import { useApp } from "../../../src/ui/state/app-context.tsx";
import type { FakeApp } from "../../support/fake-app.ts";
import { until } from "../../support/until.ts";
import { composerApp, detail, leaveComposer, provider, stateOf } from "../composer/composer-scene.tsx";
import { InApp } from "../in-app.tsx";
import { summary } from "../stories.ts";

const threadId = ThreadId.parse("thread1");

let app: FakeApp;
beforeEach(() => {
	app = composerApp();
	app.answers.set("readThread", () => detail());
	app.answers.set("listFiles", () => ({ folder: "/x", runs: [] }));
	app.answers.set("readUpdates", () => ({ updates: [], more: false }));
});
afterEach(() => {
	cleanup();
	leaveComposer(app);
});

function Page() {
	const [thread] = useApp().app.threads;
	const reader = useThreadReader(threadId, thread);
	return <Conversation reader={reader} summary={thread} openFile={() => {}} openPanel={() => {}} />;
}

const isOutOfDate = () => screen.queryByText(/^As of \d+:\d\d\. Newer changes couldn’t be loaded yet\.$/) !== null;

it.each(["readThread", "listFiles"])(
	"a page whose later %s fails says as of when it is, and reads again until it is current",
	async (method) => {
		const state = stateOf(provider("codex", true));
		const here = new InApp({ ...state, threads: [summary("thread1", 5)] });
		render(<Page />, { wrapper: here.wrapper });
		await act(() => until("it is read", () => app.of("listFiles").length > 0 && screen.queryByRole("textbox") !== null));
		expect(isOutOfDate()).toBe(false);
		const answer = app.answers.get(method);
		let failures = 0;
		app.answers.set(method, (params) => {
			failures++;
			if (failures < 3) throw new Error("not now");
			return answer?.(params);
		});
		act(() => here.app.set({ ...state, threads: [summary("thread1", 9)] }));
		await act(() => until("the read has failed", isOutOfDate));
		await act(() => until("it is current", () => !isOutOfDate()));
		expect(failures).toBe(3);
	},
);
