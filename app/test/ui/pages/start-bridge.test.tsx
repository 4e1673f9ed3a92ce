import { cleanup, render, screen } from "@testing-library/react";
import { afterEach, beforeEach, expect, it } from "vitest";
import type { AppState } from "../../../src/api/ui-api.ts";
import { unresolvedWords, wordsOf } from "../../../src/strings/codes.ts";
import { HomePage } from "../../../src/ui/pages/home-page.tsx";
import { startable } from "../../../src/ui/turn/startable.ts";
import { FakeApp } from "../../support/fake-app.ts";
import { InApp } from "../in-app.tsx";
import { appState, ended, summary } from "../stories.ts";

let app: FakeApp;
beforeEach(() => {
	app = new FakeApp();
});
afterEach(() => {
	cleanup();
	app[Symbol.dispose]();
});

const { bridge } = appState;
const unreachable = { ...bridge, state: "unreachable" } as const;

it("offers to start the bridge only while it may be gone, because that restarts one that runs", () => {
	const refused = {
		...ended({}, undefined).turn,
		status: "refused",
		resultDetail: { code: "ACP_HTTP_CONNECT_FAILED", message: "x" },
	} as const;
	const threads = [summary("thread1", 1, { lastTurn: refused, updatedAt: new Date().toISOString() as typeof refused.createdAt })];
	const offered = (now: AppState["bridge"]) => {
		const { wrapper } = new InApp({ ...appState, bridge: now, threads });
		render(<HomePage />, { wrapper });
		const names = ["Start bridge", "Retry"].filter((name) => screen.queryByRole("button", { name }) !== null);
		cleanup();
		return names;
	};
	expect(offered(bridge)).toEqual(["Retry"]);
	expect(offered(unreachable)).toEqual(["Start bridge"]);
});

it("keeps what can be done with a bridge that runs", () => {
	const silent = { ...unreachable, trouble: { what: "silent", own: true } } as const;
	const { actions } = unresolvedWords("ACP_HTTP_CONNECT_FAILED", {});
	for (const now of [bridge, silent, { ...bridge, state: "refused" } as const])
		expect(startable(actions, now)).toEqual(["test_bridge", "run_log"]);
	expect(startable(actions, { ...unreachable, startedByUser: true })).toEqual(["test_bridge", "run_log"]);
	expect(startable(actions, unreachable)).toEqual(["start_bridge", "test_bridge", "run_log"]);
	expect(startable(wordsOf("ACP_HTTP_CONNECT_FAILED").actions, bridge)).toEqual(["retry", "doctor"]);
});
