import { cleanup, fireEvent, render, screen, within } from "@testing-library/react";
import { Sha256 } from "@xworkmate/contracts";
import { afterEach, describe, expect, it } from "vitest";
import type { ThreadFile } from "../../src/api/ui-api.ts";
import { ApprovalCard } from "../../src/ui/approvals/approval-card.tsx";
import { StateChip } from "../../src/ui/components/state-chip.tsx";
import { FileRow } from "../../src/ui/files/file-row.tsx";
import MarkdownText from "../../src/ui/rich-text/markdown.tsx";
import { OutcomeCard } from "../../src/ui/run/outcome-card.tsx";
import { RunBar } from "../../src/ui/run/run-bar.tsx";
import { ToolRow } from "../../src/ui/run/tool-call-row.tsx";
import { deriveOutcome } from "../../src/ui/turn/outcome.ts";
import { emptyTurn, type TurnView } from "../../src/ui/turn/turn-view.ts";
import { InApp } from "./in-app.tsx";
import { approval, at, BEGIN, ended, foldUpdates, snapshot, stage, update } from "./stories.ts";

afterEach(cleanup);
const NO_ACTION = () => {};
const inApp = () => ({ wrapper: new InApp().wrapper });

function card(more: Partial<Parameters<typeof ApprovalCard>[0]> = {}) {
	const decided: string[] = [];
	const asked = {
		approval: approval(),
		provider: "Codex",
		now: BEGIN + 30_000,
		singleKeys: true,
		decide: (one: string) => decided.push(one),
		...more,
	};
	render(<ApprovalCard {...asked} />);
	return decided;
}

it("the card of an end counts the files that were not accepted and are not listed", () => {
	const rejectedArtifacts = Array.from({ length: 200 }, (_, index) => ({ path: `l${index}`, reason: "symlink" }));
	const detail = ended({}, snapshot({ rejectedArtifacts, rejectedCount: 179_801 }));
	const outcome = deriveOutcome({ detail, view: emptyTurn, provider: "Codex" });
	if (outcome === undefined) throw new Error("the turn has no end");
	render(<OutcomeCard outcome={outcome} files={[]} act={NO_ACTION} openFile={NO_ACTION} />);
	expect(screen.getByText("and 179793 more")).toBeDefined();
});

describe("a request", () => {
	it("shows its whole input, with what does not show written out", () => {
		const text = `${"x".repeat(20_000)}\u202E; rm -rf ~ \u0007`;
		card({ approval: approval({ input: { text, truncated: false } }) });
		const shown = screen.getByRole("region", { name: "What it wants to do" }).textContent;
		expect(shown).toBe(`${"x".repeat(20_000)}⟨U+202E⟩; rm -rf ~ ⟨U+0007⟩`);
	});

	it("says when it saw only a part", () => {
		card({ approval: approval({ input: { text: "x", truncated: true } }) });
		expect(screen.getByText(/Not everything is shown. If in doubt, deny/)).toBeTruthy();
	});

	it("is answered by press and by letter, and offers only what may be chosen", () => {
		const decided = card({ approval: approval({ options: ["allow_once", "deny"] }) });
		fireEvent.click(screen.getByRole("button", { name: /Deny/ }));
		const region = screen.getByRole("region", { name: "Codex wants to run a command" });
		fireEvent.keyDown(region, { key: "a" });
		fireEvent.keyDown(region, { key: "w" });
		fireEvent.keyDown(region, { key: "d", ctrlKey: true });
		expect(decided).toEqual(["deny", "allow_once"]);
	});

	it("takes one press for one request: the second of a double one is not for the card that comes under it", () => {
		const press = (clientY: number, detail = 1) =>
			fireEvent.click(screen.getByRole("button", { name: /Allow once/ }), { detail, clientX: 100, clientY });
		const first = card();
		press(200);
		cleanup();
		const next = card();
		press(203);
		expect([first, next]).toEqual([["allow_once"], []]);
		press(400);
		press(400, 0);
		expect(next).toEqual(["allow_once", "allow_once"]);
	});

	it("leaves letters alone when they are switched off", () => {
		const decided = card({ singleKeys: false });
		fireEvent.keyDown(screen.getByRole("region", { name: "Codex wants to run a command" }), { key: "a" });
		expect(decided).toEqual([]);
	});

	it("counts down by the bridge's clock, and takes no answer when the time is over", () => {
		card({ now: BEGIN + 901_000 });
		expect(screen.getByText("0:00 left")).toBeTruthy();
		for (const button of screen.getAllByRole("button")) expect(button).toHaveProperty("disabled", true);
	});

	it.each([
		[{ state: "decided", decision: "deny", decidedBy: "app", decidedAt: at(5) } as const, /Denied/],
		[{ state: "expired" } as const, /Expired, denied automatically/],
		[{ state: "withdrawn" } as const, /Not answered/],
	])("that is over is one line: %j", (more, said) => {
		card({ approval: approval(more) });
		expect(screen.getByText(said)).toBeTruthy();
		expect(screen.queryByRole("button")).toBeNull();
	});
});

describe("an outcome", () => {
	const show = (detail: Parameters<typeof ended>, view: TurnView = emptyTurn) => {
		const outcome = deriveOutcome({ detail: ended(...detail), view, provider: "Codex" });
		if (outcome === undefined) throw new Error("there is no outcome");
		const acted: string[] = [];
		render(<OutcomeCard outcome={outcome} files={[]} act={(action) => acted.push(action)} openFile={NO_ACTION} />);
		return acted;
	};

	it("names the stage that was last heard of in words, and none where none was", () => {
		const detail = ended({ status: "interrupted", resultDetail: { code: "BRIDGE_RESTARTED", message: "x" } }, undefined);
		const known = (view: TurnView) => deriveOutcome({ detail, view, provider: "x" })?.known?.known.at(-1);
		expect(known({ ...emptyTurn, workedAt: at(5), progress: { stage: "waiting_approval" } })).toMatch(
			/^Last update (?:\w+ )*\d+:\d\d \(waiting for you\)$/,
		);
		expect(known({ ...emptyTurn, workedAt: at(5) })).toMatch(/^Last update (?:\w+ )*\d+:\d\d$/);
	});

	it("of a success counts the required files that are there", () => {
		show([{ syncStatus: "synced" }, snapshot({}, ["a.md", "b.md"]), [{ glob: "*.md", minCount: 2 }]]);
		expect(screen.getByRole("heading", { name: "Succeeded. 2 files checked and saved." })).toBeTruthy();
		expect(screen.getByText("Required files delivered: 2 of 2")).toBeTruthy();
	});

	it("of a claim without a file says which, and is no success", () => {
		const end = snapshot({ status: "artifact_missing", success: false, code: "REQUIRED_ARTIFACT_MISSING" }, ["slides.html"]);
		const acted = show([
			{ status: "artifact_missing" },
			end,
			[
				{ glob: "slides.html", minCount: 1 },
				{ glob: "photos/*.jpg", minCount: 4 },
			],
		]);
		expect(screen.getByText(/^Missing: 4 × photos\/\*\.jpg\./)).toBeTruthy();
		const list = screen.getByRole("list", { name: "Required files" });
		expect(within(list).getByText("no match")).toBeTruthy();
		fireEvent.click(screen.getByRole("button", { name: "Request missing files" }));
		expect(acted).toEqual(["ask_missing"]);
	});

	it("that cannot be known says what is known and what is not", () => {
		const view = foldUpdates(emptyTurn, [
			stage(1, "working"),
			update(2, { kind: "tool_call", toolCallId: "c", title: "mv a b", toolKind: "move", state: "running" }),
		]);
		show([{ status: "interrupted", resultDetail: { code: "BRIDGE_RESTARTED" } }, undefined], view);
		expect(screen.getByRole("heading", { name: "Outcome unknown: the bridge restarted" })).toBeTruthy();
		expect(screen.getByText("Whether this step finished: mv a b")).toBeTruthy();
		expect(screen.getByText("BRIDGE_RESTARTED")).toBeTruthy();
	});

	it("of a refused message names the agent and keeps the bridge's reason", () => {
		show([
			{ status: "refused", resultDetail: { code: "PROVIDER_UNAVAILABLE", message: "goose\u202E is away.", fix: "Install it." } },
			undefined,
		]);
		expect(screen.getByRole("heading", { name: "Codex was not available" })).toBeTruthy();
		expect(screen.getByText(/goose⟨U\+202E⟩ is away/)).toBeTruthy();
		expect(screen.getByText("How to fix: Install it.")).toBeTruthy();
	});

	it("is not there before the end, nor before the files are", () => {
		for (const turn of [{ status: "running" }, { status: "completed", syncStatus: "syncing" }] as const)
			expect(deriveOutcome({ detail: ended(turn, undefined), view: emptyTurn, provider: "x" })).toBeUndefined();
	});
});

describe("the run bar", () => {
	const bar = { createdAt: at(0), now: BEGIN + 20_000, away: false, gateway: false, stop: NO_ACTION, tryNow: NO_ACTION };
	it("does not call a run that waited in a bridge that is gone one that may still run", () => {
		const waiting = foldUpdates(emptyTurn, [update(1, { kind: "status", progress: { stage: "queued" } }, { status: "queued" })]);
		const { container } = render(<RunBar {...bar} view={waiting} away bridgeEnded />);
		expect(container.textContent).toContain("This message was still queued.");
		expect(container.textContent).not.toContain("still be running");
	});

	it("is stopping once the bridge says so, and not when Stop was pressed", () => {
		const { container, rerender } = render(
			<RunBar {...bar} view={foldUpdates(emptyTurn, [stage(1, "working")])} cancelRequestedAt={at(16)} />,
		);
		expect(container.textContent).not.toContain("Stopping");
		rerender(<RunBar {...bar} view={foldUpdates(emptyTurn, [stage(1, "working"), stage(2, "stopping")])} cancelRequestedAt={at(16)} />);
		expect(container.textContent).toContain("Stopping");
	});

	it.each<[string, TurnView, Partial<Parameters<typeof RunBar>[0]>, RegExp, boolean]>([
		["sending", emptyTurn, {}, /Waiting for confirmation/, true],
		["in the app's queue", { ...emptyTurn, gatewayQueue: { position: 2, length: 5 } }, { gateway: true }, /Queued 2 of 5/, true],
		["working", foldUpdates(emptyTurn, [stage(1, "working")]), {}, /Updated 19 s ago/, true],
		["stopping", foldUpdates(emptyTurn, [stage(1, "working")]), { cancelRequestedAt: at(16) }, /Stop requested 4 s ago/, false],
		["collecting", foldUpdates(emptyTurn, [stage(1, "collecting")]), {}, /Can’t be stopped now/, false],
		[
			"saving",
			{ ...foldUpdates(emptyTurn, [stage(1, "sealing")]), syncing: { files: 3, totalBytes: 1900 } },
			{},
			/3 to fetch and check, 1.9 kB/,
			false,
		],
		[
			"out of reach",
			foldUpdates(emptyTurn, [stage(1, "working")]),
			{ away: true },
			/Connection lost\. The run may still be in progress\.Reconnect/,
			true,
		],
	])("says what is so while %s", (_, view, more, said, stops) => {
		const { container } = render(<RunBar {...bar} view={view} {...more} />);
		expect(container.textContent).toMatch(said);
		expect(container.querySelector("[data-stop]") !== null).toBe(stops);
		expect(screen.getByRole("list", { name: "Run progress" }).querySelectorAll("[aria-current=step]")).toHaveLength(1);
	});
});

describe("small parts", () => {
	it("say a state by a word as well as by a colour", () => {
		render(<StateChip state="queued" place={{ position: 2, length: 5 }} />);
		expect(screen.getByText("Queued 2 of 5")).toBeTruthy();
	});

	it("show markup in a file's name as its letters", () => {
		const file = {
			relativePath: '<img src=x onerror="alert(1)">\u202Egpj.exe',
			state: "edited",
			mediaType: "image/png",
			sizeBytes: 5,
			sizeNow: 6,
		} as const;
		const { container } = render(<FileRow file={file} required current={false} downloadUrl="/files/x" open={NO_ACTION} />, inApp());
		expect(container.querySelector("img")).toBeNull();
		expect(screen.getByText('<img src=x onerror="alert(1)">⟨U+202E⟩gpj.exe')).toBeTruthy();
		expect(screen.getByText("Edited")).toBeTruthy();
	});

	it("[D9] shows no hash of the delivered bytes beside a file that was edited", () => {
		const row = (state: ThreadFile["state"]) => {
			const shown: ThreadFile = {
				relativePath: "a.md",
				state,
				sizeBytes: 10,
				sha256: Sha256.parse("a".repeat(64)),
				mediaType: "text/markdown",
			};
			const { container } = render(<FileRow file={shown} required={false} current downloadUrl="/files/x" open={NO_ACTION} />, inApp());
			return container.textContent;
		};
		expect(row("checked")).toContain("SHA-256 aaaaaaaaaaaa");
		expect(row("edited")).not.toContain("SHA-256");
	});

	it("open a tool to its input, output and change", () => {
		const call = {
			toolCallId: "c",
			title: "edit x",
			toolKind: "edit",
			state: "completed",
			output: { text: "ok", truncated: false },
			diff: [{ path: "x", oldText: "a", newText: "b", truncated: false }],
		} as const;
		const { container } = render(
			<ToolRow open="live" item={{ kind: "tool", key: "c", call: { ...call, diff: [...call.diff] }, from: at(0), to: at(1) }} />,
		);
		const row = container.querySelector("details");
		if (row === null) throw new Error("there is no row");
		row.open = true;
		fireEvent(row, new Event("toggle"));
		expect(screen.getByRole("region", { name: "Changes to x" }).textContent).toBe("1−a1+b");
		expect(screen.getByRole("region", { name: "Output" }).textContent).toBe("ok");
	});

	it("run nothing that markdown brings", () => {
		const { container } = render(
			<MarkdownText
				text={
					"<script>alert(1)</script>\n\nx <img src=x onerror=alert(1)> [a](javascript:alert(1)) ![b](https://elsewhere.example/pixel.png) [c](https://ok.example)"
				}
			/>,
		);
		expect(container.querySelector("script, img, iframe")).toBeNull();
		expect([...container.querySelectorAll("a")].map((link) => link.getAttribute("href"))).toEqual(["https://ok.example"]);
		expect(container.textContent).toContain("<script>");
	});
});
