import { cleanup, fireEvent, render, screen } from "@testing-library/react";
import { errorCatalogue } from "@xworkmate/contracts";
import { afterEach, describe, expect, it } from "vitest";
import type { SyncedThread } from "../../../src/api/app-api.ts";
import type { ThreadFile } from "../../../src/api/ui-api.ts";
import type { Turn } from "../../../src/threads/domain/thread.ts";
import { AppRefusal, sayError } from "../../../src/ui/connection/app-refusal.ts";
import { OutcomeCard } from "../../../src/ui/run/outcome-card.tsx";
import { fetchedWords } from "../../../src/ui/turn/fetched-words.ts";
import { deriveOutcome } from "../../../src/ui/turn/outcome.ts";
import { emptyTurn } from "../../../src/ui/turn/turn-view.ts";
import { at, ended, snapshot } from "../stories.ts";

afterEach(cleanup);

function show(turn: Parameters<typeof ended>[0], end: Parameters<typeof ended>[1], isFetchedAgain = false) {
	const outcome = deriveOutcome({ detail: ended(turn, end), view: emptyTurn, provider: "Lively", isFetchedAgain });
	if (outcome === undefined) throw new Error("there is no outcome");
	const acted: string[] = [];
	return { ...render(<OutcomeCard outcome={outcome} files={[]} act={(action) => acted.push(action)} openFile={() => {}} />), acted };
}

describe("a run that succeeded without all of its files in the folder", () => {
	const partial = (resultDetail: object, isFetchedAgain = true) => {
		const turn = { status: "completed", resultCode: "success", syncStatus: "partial", resultDetail } as Parameters<typeof ended>[0];
		return show(turn, snapshot({}, ["a.md"]), isFetchedAgain);
	};

	it("says what is in the way and what to do, and promises no retry that would help", () => {
		const message = "1 of 1 file was not saved in the folder: a folder or special file was in the way (a.md).";
		const { container, acted } = partial({ code: "PATH_BLOCKED", message, fix: "Move what is there out of the way." });
		expect([...container.querySelectorAll(".say")].map(({ textContent }) => textContent)).toEqual([
			message,
			"How to fix: Move what is there out of the way.",
		]);
		fireEvent.click(screen.getByRole("button", { name: "Retry download" }));
		expect(acted).toEqual(["fetch_again"]);
	});

	it("says that they are saved once they are all back in the folder", () => {
		const turn = { status: "completed", resultCode: "success", syncStatus: "partial" } as Parameters<typeof ended>[0];
		const file = (relativePath: string, state: ThreadFile["state"]) => ({ relativePath, state, mediaType: "text/markdown" });
		const titleOf = (files: readonly ThreadFile[], number = 2) => {
			const detail = ended(turn, snapshot({}, ["a.md", "b.md"]));
			const parts = { detail, view: emptyTurn, provider: "Lively" };
			return deriveOutcome({ ...parts, files: { files, count: number } })?.title;
		};
		const lacks = "Succeeded, but some files aren’t in the folder.";
		expect(titleOf([file("a.md", "checked"), file("b.md", "missing")])).toBe(lacks);
		expect(titleOf([file("a.md", "checked"), file("b.md", "replaced")])).toBe(lacks);
		expect(titleOf([file("a.md", "checked"), file("b.md", "checked")], 201)).toBe(lacks);
		expect(titleOf([file("a.md", "missing"), file("b.md", "missing")])).toBe("Succeeded, but none of its files are in the folder.");
		expect(titleOf([file("a.md", "edited"), file("b.md", "checked")])).toBe("Succeeded. 2 files checked and saved.");
	});

	it("offers no download of an earlier run's file in whose place a later run's file is", () => {
		const detail = { code: "PATH_BLOCKED", message: "1 of 2 files was not saved.", fix: "Move whatever is still in the way." };
		const turn = { status: "completed", resultCode: "success", syncStatus: "partial", resultDetail: detail } as Parameters<typeof ended>[0];
		const offered = (state: ThreadFile["state"], current: boolean, count = 1) => {
			const files = [{ relativePath: "a.md", state, mediaType: "text/markdown" }];
			const parts = { detail: ended(turn, snapshot({}, ["a.md"])), view: emptyTurn, provider: "Lively", files: { files, count, current } };
			return [deriveOutcome(parts)?.actions, deriveOutcome(parts)?.fix];
		};
		expect(offered("replaced", false)).toEqual([["run_log"], undefined]);
		for (const [state, current, count] of [
			["replaced", true],
			["missing", false],
			["blocked", false],
			["replaced", false, 2],
		] as const)
			expect(offered(state, current, count)).toEqual([["fetch_again", "run_log"], detail.fix]);
	});

	it("says when the app tries again where that may help", () => {
		const failed = { code: "TRANSFER_FAILED", message: "1 of 1 file was not saved in the folder: the bridge answered 503." };
		const says = ({ container }: ReturnType<typeof partial>) =>
			[...container.querySelectorAll(".say")].map(({ textContent }) => textContent);
		expect(says(partial(failed))).toEqual([
			failed.message,
			"The app tries again when it starts, and a few times when it reconnects to the bridge.",
		]);
		cleanup();
		const given = partial(failed, false);
		expect(says(given)).toEqual([failed.message]);
		fireEvent.click(screen.getByRole("button", { name: "Retry download" }));
		expect(given.acted).toEqual(["fetch_again"]);
	});

	it("offers no download that is refused because the thread is archived", () => {
		const turn = { status: "completed", resultCode: "success", syncStatus: "partial" } as Parameters<typeof ended>[0];
		const end = ended(turn, snapshot({}, ["a.md"]));
		const outcome = deriveOutcome({ detail: end, view: emptyTurn, provider: "Lively", isArchived: true });
		expect(outcome?.actions).toEqual(["run_log"]);
		expect(outcome?.left).toBe("Restore the thread to download those that the bridge still has.");
	});

	it("says what Retry download did", () => {
		const thread = (status: "partial" | "synced", resultDetail?: Turn["resultDetail"]): SyncedThread => {
			const { turn } = ended(
				{ status: "completed", resultCode: "success", syncStatus: status, ...(resultDetail && { resultDetail }) },
				undefined,
			);
			const base = {
				...{ threadId: snapshot({}).threadId, sessionId: snapshot({}).sessionId, title: "t", deleted: false },
				lifecycleStatus: "ready",
				createdAt: at(0),
				updatedAt: at(0),
			} as const;
			const files = { lastArtifactSyncStatus: status, lastTaskArtifactRelativePaths: [], restored: [], unchanged: [] };
			return { ...base, ...files, turns: [turn], broughtBack: { paths: [], lacking: [] } };
		};
		const blocked = {
			code: "PATH_BLOCKED",
			message: "1 of 1 file was not saved in the folder: a folder was in the way (a.md).",
			fix: "Move it.",
		};
		expect(fetchedWords(thread("partial", blocked))).toBe(`${blocked.message} Move it.`);
		expect(fetchedWords(thread("synced"))).toBe("No files are missing from the folder now.");
		const lacking = [{ path: "old.md", message: "something else is in its place" }];
		expect(fetchedWords({ ...thread("synced"), broughtBack: { paths: [], lacking } })).toBe(
			"Not downloaded: old.md (something else is in its place).",
		);
		const setAside = [{ relativePath: "in/a.md", digits: "0123abcd", keptAs: ".versions/run-1/in/a.md~0123", sizeBytes: 1 }];
		expect(fetchedWords({ ...thread("synced"), setAside })).toBe(
			"No files are missing from the folder now. The version of in/a.md that was in the folder was kept as .versions/run-1/in/a.md~0123.",
		);
		const { broughtBack: _none, ...running } = thread("synced");
		expect(fetchedWords(running)).toContain("The thread is running again");
	});
});

describe("how to fix an error", () => {
	it("is what the user can do, not what a program that calls the bridge can", () => {
		const fix =
			"Choose one in routing.providerId (available: codex, goose), or set a default with `npm run -s xworkmate -- config set defaultProvider ID`.";
		const { container } = show({ status: "refused", resultDetail: { code: "PROVIDER_AMBIGUOUS", message: "x", fix } }, undefined);
		expect(container.textContent).toContain("How to fix: Choose an agent.");
		expect(container.textContent).not.toContain("routing.providerId");
		expect(sayError(new AppRefusal("SESSION_CLOSED", "It is closed", "Start it again with session.start."))).toBe(
			"It is closed. Send the message again.",
		);
		const tooLarge = (fix: string) => sayError(new AppRefusal("PAYLOAD_TOO_LARGE", "It is too large.", fix));
		expect(tooLarge(errorCatalogue.PAYLOAD_TOO_LARGE.fix)).toBe("It is too large. Shorten the message, or attach fewer files.");
		// The bridge wrote this one for the user, about the very message.
		const ofMessage = "Ask for a single file and run the work again, or send the message by email.";
		expect(tooLarge(ofMessage)).toBe(`It is too large. ${ofMessage}`);
		expect(sayError(new AppRefusal("DISK_FULL", "It is full.", "Free some space."))).toBe("It is full. Free some space.");
	});
});
