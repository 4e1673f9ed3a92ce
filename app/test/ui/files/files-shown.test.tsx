import { cleanup, fireEvent, render, screen } from "@testing-library/react";
import { afterEach, describe, expect, it, vi } from "vitest";
import type { ThreadFile } from "../../../src/api/ui-api.ts";
import { fileWords } from "../../../src/strings/runs/states.ts";
import { fileName, fileNames } from "../../../src/text/file-names.ts";
import { countFiles, orderFiles } from "../../../src/ui/files/file-order.ts";
import { PreviewBody } from "../../../src/ui/files/preview-body.tsx";
import { SetAsideList } from "../../../src/ui/files/set-aside-list.tsx";
import MarkdownText from "../../../src/ui/rich-text/markdown.tsx";
import { pathFromReport } from "../../../src/ui/text/report-image.ts";
import { deriveOutcome } from "../../../src/ui/turn/outcome.ts";
import { isOfRunUnderWay, savedWord } from "../../../src/ui/turn/saved-word.ts";
import { emptyTurn } from "../../../src/ui/turn/turn-view.ts";
import { InApp } from "../in-app.tsx";
import { at, ended, snapshot } from "../stories.ts";

afterEach(() => {
	cleanup();
	vi.unstubAllGlobals();
});

describe("the name of a file", () => {
	it.each([
		["Screenshot 2026-11-22 at 9.41.03\u202FAM.png", "Screenshot 2026-11-22 at 9.41.03 AM.png"],
		["pictures/Bild\u00A01.png", "pictures/Bild 1.png"],
		["表\u3000一.csv", "表 一.csv"],
	])("[D24] %j reads as people write it", (name, shown) => expect(fileName(name)).toBe(shown));

	it.each([
		["report.pdf\u00A0\u00A0.exe", "report.pdf⟨U+00A0⟩⟨U+00A0⟩.exe"],
		["report.pdf \u00A0.exe", "report.pdf ⟨U+00A0⟩.exe"],
		["\u00A0report.md", "⟨U+00A0⟩report.md"],
		["report.md\u202F", "report.md⟨U+202F⟩"],
		["a\u00A0/b", "a⟨U+00A0⟩/b"],
		["a/\u00A0b", "a/⟨U+00A0⟩b"],
		["a\u200Bb", "a⟨U+200B⟩b"],
		["a\u202Egnp.exe", "a⟨U+202E⟩gnp.exe"],
		["a\u2800b", "a⟨U+2800⟩b"],
		["a\u3164\u00A0b", "a⟨U+3164⟩ b"],
		["  spaces  .txt", "⟨U+0020⟩⟨U+0020⟩spaces⟨U+0020⟩⟨U+0020⟩.txt"],
		["a /b c/ d", "a⟨U+0020⟩/b c/⟨U+0020⟩d"],
	])("[D24] %j hides nothing", (name, shown) => expect(fileName(name)).toBe(shown));

	it("[D24] is written out where another one beside it would read the same", () => {
		const names = ["a b.md", "a\u00A0b.md", "c\u202Fd.md"];
		expect(names.map(fileNames(names))).toEqual(["a b.md", "a⟨U+00A0⟩b.md", "c d.md"]);
	});
});

describe("a thread's files", () => {
	const file = (relativePath: string, seconds: number, more: Partial<ThreadFile> = {}): ThreadFile => ({
		...{ relativePath, state: "checked", mediaType: "text/plain", modifiedAt: at(seconds), ...more },
	});
	it("[D9] are listed with the required ones first, then what is to be read, then the newest", () => {
		const files = [
			file("old.txt", 1),
			file("new.txt", 9),
			file("paper.pdf", 2, { mediaType: "application/pdf" }),
			file("asked.csv", 3),
			file("edited.txt", 1, { state: "edited", editedAt: at(12) }),
		];
		const order = orderFiles(files, new Set(["asked.csv"])).map(({ relativePath }) => relativePath);
		expect(order).toEqual(["asked.csv", "paper.pdf", "edited.txt", "new.txt", "old.txt"]);
	});

	it("[D9] are counted by name over all runs, with those that a long run does not list", () => {
		const { turnId, runId } = snapshot({});
		const run = { turnId, runId, createdAt: at(0), current: false, totalBytes: 1, rejected: [], rejectedCount: 0 };
		const runs = [
			{ ...run, files: [file("a", 1), file("b", 1)], count: 70 },
			{ ...run, files: [file("a", 0)], count: 1 },
		];
		expect(countFiles({ runs })).toBe(70);
	});
});

describe("what a list says of a run", () => {
	it.each([
		["running", true],
		["syncing", true],
		["synced", false],
		["partial", false],
		[undefined, false],
	] as const)("is over once the run is, when it was read while it was %s: %s", (syncStatus, isOver) => {
		expect(isOfRunUnderWay(syncStatus === undefined ? {} : { syncStatus })).toBe(isOver);
	});
});

describe("a preview", () => {
	it.each(["text", "image", "markdown", "csv", "pdf", "unknown", "none"] as const)("[D28] of an empty file says so, as %s", (kind) => {
		const given = { relativePath: "a", name: "a", size: 0, url: "/files/a", downloadUrl: "/files/a?download=1" };
		render(<PreviewBody kind={kind} {...given} />);
		expect(screen.getByText("This file is empty.")).toBeTruthy();
		expect(screen.getByRole("link", { name: "Download" })).toBeTruthy();
	});

	it("that failed is tried again once the file is another one", () => {
		vi.stubGlobal("fetch", async () => new Response("x"));
		const given = { relativePath: "a.png", name: "a.png", size: 1, url: "/files/a.png", downloadUrl: "/files/a.png?download=1" };
		const { rerender } = render(<PreviewBody kind="image" {...given} />, { wrapper: new InApp().wrapper });
		fireEvent.error(screen.getByRole("img"));
		expect(screen.queryByRole("img")).toBeNull();
		rerender(<PreviewBody kind="image" {...given} url="/files/a.png?v=2" />);
		expect(screen.getByRole("img").getAttribute("src")).toBe("/files/a.png?v=2");
	});
});

describe("an image in a report", () => {
	it.each([
		["report.md", "chart.png", "chart.png"],
		["out/report.md", "img/my%20chart.png", "out/img/my chart.png"],
		["out/report.md", "./../chart.png?raw#top", "chart.png"],
		["out/deep/report.md", "../a//b.png", "out/a/b.png"],
		["report.md", "../chart.png", undefined],
		["report.md", "/etc/passwd", undefined],
		["report.md", "//elsewhere.example/pixel.png", undefined],
		["report.md", "https://elsewhere.example/pixel.png", undefined],
		["report.md", "data:image/png;base64,AAAA", undefined],
		["report.md", "a%2Fb.png", undefined],
		["report.md", "..%5Cb.png", undefined],
		["report.md", "%E0%A4%A", undefined],
		["report.md", "#top", undefined],
	])("[D28] of %s at %s is %s", (report, source, path) => expect(pathFromReport(report, source)).toBe(path));

	it("[D28] is shown where the app serves it, and is words everywhere else", () => {
		const text = "![The chart](chart.png) ![far](https://elsewhere.example/pixel.png) ![gone](gone.png)";
		const imageUrl = (source: string) => (pathFromReport("report.md", source) === "chart.png" ? "/files/t/r/chart.png" : undefined);
		const { container, unmount } = render(<MarkdownText text={text} imageUrl={imageUrl} />);
		expect([...container.querySelectorAll("img")].map((image) => [image.getAttribute("src"), image.alt])).toEqual([
			["/files/t/r/chart.png", "The chart"],
		]);
		expect(container.textContent).toContain("far");
		unmount();
		expect(render(<MarkdownText text={text} />).container.querySelector("img")).toBeNull();
	});
});

describe("the card of a run that missed a file", () => {
	const actionsOf = (paths: readonly string[]) => {
		const code = "REQUIRED_ARTIFACT_MISSING";
		const detail = ended(
			{ status: "artifact_missing", resultCode: "artifact_missing" },
			snapshot({ status: "artifact_missing", code }, paths),
		);
		return deriveOutcome({ detail, view: emptyTurn, provider: "Codex" })?.actions;
	};
	it("[D26] offers to open files only where there are some", () => {
		expect(actionsOf(["half.md"])).toContain("open_files");
		expect(actionsOf([])).toEqual(["ask_missing", "run_log"]);
	});
});

describe("what a run's heading says of its files", () => {
	const file = (state: ThreadFile["state"]): ThreadFile => ({ relativePath: "a", state, mediaType: "text/plain" });
	it.each([
		["that all were saved", "synced", [file("checked"), file("edited")], "All saved"],
		["nothing once one of them is gone", "synced", [file("checked"), file("missing")], undefined],
		["that a stopped run's file was not saved, never that there is none", "failed", [file("unsaved")], "Not saved in the folder"],
		["that there is none", "failed", [], "No files"],
		["that one that something blocks is not in the folder", "partial", [file("blocked")], "Some files are not in the folder"],
		["not said of saved files that another version has replaced", "synced", [file("checked"), file("replaced")], undefined],
		["that all are there once those that did not come were put back", "partial", [file("checked"), file("edited")], "All saved"],
		[
			"that not all are there, never that they still come",
			"partial",
			[file("checked"), file("missing")],
			"Some files are not in the folder",
		],
	] as const)("is %s", (_what, status, files, said) =>
		expect(savedWord({ files, count: files.length, rejectedCount: 0 }, status)).toBe(said),
	);

	it.each([
		["that those delivered were saved, never all", "synced", [file("checked")], 3, "Delivered files saved, 3 rejected"],
		["nothing of saved files once one of them is gone", "synced", [file("missing")], 3, undefined],
		["that none was delivered, for there were some", "no-artifacts", [], 2, "No files delivered: 2 were rejected"],
		["that none was delivered, for there was one", "no-exported-artifacts", [], 1, "No files delivered: 1 was rejected"],
	] as const)("is, above rejected files, %s", (_what, status, files, rejectedCount, said) =>
		expect(savedWord({ files, count: files.length, rejectedCount }, status)).toBe(said),
	);
});

it("a version that was replaced, whoever made it, is named with where it is kept, and opened", () => {
	const kept = { relativePath: "in/data.csv", digits: "0123abcd", keptAs: ".versions/run1/in/data.csv~0123abcd", sizeBytes: 9 };
	const { container } = render(<SetAsideList threadId="t" runId="run1" files={[kept]} />);
	expect(container.textContent).toContain(
		"The version of in/data.csv that was in the folder was kept as .versions/run1/in/data.csv~0123abcd",
	);
	// What is kept has one name, whoever made it; a replaced version is one that the folder does not have at all.
	expect(screen.getByRole("list").getAttribute("aria-label")).toBe(`${fileWords.kept.word}s`);
	const open = screen.getByRole("link", { name: "Open the earlier version of in/data.csv" });
	expect(open.getAttribute("href")).toBe("/files/t/run1/in/data.csv?kept=0123abcd");
});

it("only a file that a download can bring back is said to be missing, so not one that another version has replaced", () => {
	const absent = Object.entries(fileWords).flatMap(([state, { word }]) => (/folder/i.test(word) ? [state] : []));
	expect(absent).toEqual(["missing"]);
});
