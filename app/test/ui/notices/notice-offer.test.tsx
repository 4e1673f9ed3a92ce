import { act, cleanup, render, screen } from "@testing-library/react";
import { afterEach, expect, it, vi } from "vitest";
import type { TurnStatus } from "../../../src/threads/domain/thread.ts";
import { NoticeOffer } from "../../../src/ui/notices/notice-offer.tsx";
import { useNotices } from "../../../src/ui/notices/notices.ts";
import { InApp } from "../in-app.tsx";
import { appState, ended, summary } from "../stories.ts";

afterEach(() => {
	cleanup();
	vi.unstubAllGlobals();
	vi.restoreAllMocks();
});

function Notices() {
	useNotices();
	return <NoticeOffer />;
}

it.each([
	["refused", false],
	["cancelled", false],
	["interrupted", false],
	["failed", true],
] as const)("notifications are offered with “A run finished” only if a run ended by itself: %s", (status, isOffered) => {
	vi.stubGlobal("Notification", { permission: "default" });
	vi.spyOn(document, "hasFocus").mockReturnValue(false);
	const thread = (status: TurnStatus) => summary("a", 1, { lastTurn: { ...ended({}, undefined).turn, status } });
	const here = new InApp({ ...appState, threads: [thread("queued")] });
	render(<Notices />, { wrapper: here.wrapper });
	act(() => here.app.set({ ...here.app.value, threads: [thread(status)] }));
	act(() => void dispatchEvent(new Event("focus")));
	expect(screen.queryByText("A run finished while you were away. Turn on notifications?") !== null).toBe(isOffered);
});
