import { act, fireEvent, screen } from "@testing-library/react";
import { ThreadId, TurnId } from "@xworkmate/contracts";
import { createRef } from "react";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { TurnDetail } from "../../../src/api/ui-api.ts";
import type { ComposerHandle } from "../../../src/ui/composer/composer-handle.ts";
import { untold } from "../../../src/ui/state/toasts.ts";
import type { FakeApp } from "../../support/fake-app.ts";
import { until } from "../../support/until.ts";
import { ended } from "../stories.ts";
import { compose, composerApp, detail, file, leaveComposer } from "./composer-scene.tsx";

let app: FakeApp;
let place = 0;
beforeEach(() => {
	app = composerApp();
	place++;
});
afterEach(() => leaveComposer(app));

/** An earlier message with files, by their names and the digit that their hash consists of. */
function earlier(turnId: string, files: Readonly<Record<string, string>>): TurnDetail {
	const turn = ended({}, undefined);
	const attachments = Object.entries(files).map(([name, digit]) => ({
		...{ name, mediaType: "text/plain", sizeBytes: 1, sha256: digit.repeat(64) },
	}));
	return {
		...turn,
		turn: { ...turn.turn, turnId: TurnId.parse(turnId) },
		request: { ...turn.request, prompt: `the words of ${turnId}`, attachments },
		keptAttachments: Object.keys(files),
	};
}

/** Its own thread for each test: what is attached is held by thread. */
function scene() {
	const ref = createRef<ComposerHandle>();
	const thread = { ...detail().thread, threadId: ThreadId.parse(`again${place}`) };
	const composed = compose(app, { thread: detail({ thread }), ref });
	return { ...composed, edit: (turn: TurnDetail) => act(() => ref.current?.writeAgain(turn)) };
}

const kept = () => app.of("keepDraftFile");
const keptAll = (count: number) => act(() => until("all are kept", () => kept().length === count));

describe("the files of earlier messages", () => {
	it("go with the message that is edited, not those of another one that was edited before", async () => {
		const { type, edit, press, settled } = scene();
		type("my draft");
		edit(earlier("first", { "a.txt": "0", "b.txt": "0" }));
		await keptAll(2);
		edit(earlier("second", { "a.txt": "1" }));
		await keptAll(3);
		expect(kept()[2]).toMatchObject({ name: "a.txt", again: "second" });
		press("Enter");
		await act(() => settled(1));
		expect(app.of("send")).toMatchObject([{ prompt: "the words of second", draft: { files: [kept()[2]?.fileId] } }]);
	});

	it("all go with the message if the app could not save them yet, also if they are of several messages", async () => {
		app.answers.set("keepDraftFile", () => Promise.reject(Object.assign(new Error("the disk is full"), { name: "DISK_FULL" })));
		const { edit, press, settled } = scene();
		edit(earlier("first", { "a.txt": "0", "b.txt": "0" }));
		edit(earlier("second", { "c.txt": "1" }));
		await keptAll(3);
		press("Enter");
		await act(() => settled(1));
		expect(app.of("send")).toMatchObject([
			{
				attachAgain: [
					{ turnId: "first", names: ["a.txt", "b.txt"] },
					{ turnId: "second", names: ["c.txt"] },
				],
			},
		]);
	});

	it("are named beside the message for as long as there is no copy of them and they are not attached again", async () => {
		const { edit, press, settled, attach, send } = scene();
		const named = () => screen.queryByRole("region", { name: "Files that aren’t attached" })?.textContent;
		edit({ ...earlier("first", { "a.txt": "0", "b.txt": "0" }), keptAttachments: [] });
		expect(named()).toBe("These files are no longer available. Attach them again: a.txt, b.txt");
		await attach(file("a.txt", 1));
		expect(named()).toBe("This file is no longer available. Attach it again: b.txt");
		await act(() =>
			until("the file has been read", () => send.getAttribute("aria-disabled") !== "true" && !(send as HTMLButtonElement).disabled),
		);
		press("Enter");
		await act(() => settled(1));
		expect(named()).toBeUndefined();
		edit({ ...earlier("first", { "a.txt": "0" }), keptAttachments: [] });
		fireEvent.click(screen.getByRole("button", { name: "Hide this note" }));
		expect(named()).toBeUndefined();
	});

	it("are named if another file has their name, and are not if it is the same file", async () => {
		const { edit } = scene();
		edit(earlier("first", { "a.txt": "0", "b.txt": "0" }));
		edit(earlier("second", { "a.txt": "1", "b.txt": "0", "c.txt": "1" }));
		await keptAll(3);
		expect(kept().map(({ name, again }) => [name, again])).toEqual([
			["a.txt", "first"],
			["b.txt", "first"],
			["c.txt", "second"],
		]);
		expect(JSON.stringify(untold.value)).toContain("Not attached, because a file with the same name is already attached: a.txt");
	});
});
