import { act, cleanup, fireEvent, render, screen } from "@testing-library/react";
import { afterEach, expect, it, vi } from "vitest";
import { WorktreeSwitch } from "../../../src/ui/composer/worktree-switch.tsx";
import { fakeApp, Refused } from "../fake-app.ts";

afterEach(() => {
	cleanup();
	vi.unstubAllGlobals();
});

const offered = () => screen.queryByRole("button", { name: "Worktree" });

async function open(listFolders: unknown, isOn = false) {
	const calls = fakeApp({ listFolders });
	const turn = vi.fn();
	render(<WorktreeSwitch folder="/project" isOn={isOn} turn={turn} />);
	await act(async () => undefined);
	return { calls, turn };
}

it("a worktree is offered only for a folder in a git repository", async () => {
	await open([{ path: "/project", folders: [] }]);
	expect(offered()).toBeNull();
	cleanup();
	const { calls, turn } = await open([{ path: "/project", isInRepository: true, folders: [] }]);
	fireEvent.click(await screen.findByRole("button", { name: "Worktree" }));
	expect(turn.mock.calls).toEqual([[true]]);
	expect(calls).toEqual([{ method: "listFolders", params: { path: "/project" } }]);
});

it("a worktree that is already chosen can be turned off, and one is offered if it isn't known whether it can be had", async () => {
	const { turn } = await open([{ path: "/project", folders: [] }], true);
	fireEvent.click(offered() ?? document.body);
	expect(turn.mock.calls).toEqual([[false]]);
	cleanup();
	await open(new Refused("WORKSPACE_REFUSED", "It is elsewhere."));
	await screen.findByRole("button", { name: "Worktree" });
});
