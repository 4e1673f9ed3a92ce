import { act, cleanup, fireEvent, render, screen } from "@testing-library/react";
import { afterEach, expect, it, vi } from "vitest";
import { FolderPicker } from "../../../src/ui/composer/folder-picker.tsx";
import { fakeApp, Refused } from "../fake-app.ts";
import { InApp } from "../in-app.tsx";
import { appState } from "../stories.ts";

afterEach(() => {
	cleanup();
	document.body.replaceChildren();
	vi.unstubAllGlobals();
});

const root = [{ path: "/project", folders: ["inner", "gone"] }];
const inner = [{ path: "/project/inner", parent: "/project", folders: [] }];

async function openPicker(listFolders: (params: { path?: string }) => unknown) {
	fakeApp({ listFolders });
	const chosen = vi.fn();
	const frame = document.body.appendChild(document.createElement("div"));
	frame.className = "frame";
	render(<FolderPicker choose={chosen} />, { wrapper: new InApp(appState).wrapper, container: frame });
	fireEvent.click(screen.getByRole("button", { name: "Folder" }));
	return { chosen, use: await screen.findByRole("button", { name: "Use this folder" }) };
}

it("takes no folder while another one is being opened, so the one above is never chosen by a quick press", async () => {
	const opened = Promise.withResolvers<unknown>();
	const { chosen, use } = await openPicker(({ path }) => (path === undefined ? root : opened.promise));
	fireEvent.click(screen.getByRole("button", { name: "inner" }));
	fireEvent.click(use);
	expect(chosen).not.toHaveBeenCalled();
	expect(use.getAttribute("aria-disabled")).toBe("true");
	await act(async () => opened.resolve(inner));
	await screen.findByRole("heading", { name: "/project/inner" });
	fireEvent.click(screen.getByRole("button", { name: "Use this folder" }));
	expect(chosen.mock.calls).toEqual([["/project/inner"]]);
});

it("a folder that can't be opened leaves the one that is listed to be taken", async () => {
	const { chosen, use } = await openPicker(({ path }) => (path === undefined ? root : new Refused("NOT_FOUND", "It is gone.")));
	fireEvent.click(screen.getByRole("button", { name: "gone" }));
	await screen.findByText(/It is gone\./);
	await act(async () => undefined);
	screen.getByText(/It is gone\./);
	fireEvent.click(use);
	expect(chosen.mock.calls).toEqual([["/project"]]);
});
