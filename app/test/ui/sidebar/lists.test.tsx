import { cleanup, fireEvent, render, screen } from "@testing-library/react";
import { ApprovalId, ProviderId, ThreadId, TurnId } from "@xworkmate/contracts";
import fc from "fast-check";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { ThreadSummary, TurnDetail } from "../../../src/api/ui-api.ts";
import { ApprovalCard } from "../../../src/ui/approvals/approval-card.tsx";
import { freeName } from "../../../src/ui/composer/attachments.ts";
import type { ComposerHandle } from "../../../src/ui/composer/composer-handle.ts";
import { HomePage } from "../../../src/ui/pages/home-page.tsx";
import { AgentPlan } from "../../../src/ui/run/agent-plan.tsx";
import { actOnOutcome } from "../../../src/ui/run/outcome-actions.ts";
import { dayOf, formatBytes } from "../../../src/ui/text/format.ts";
import { hintOfThread } from "../../../src/ui/turn/thread-hint.ts";
import { usageParts } from "../../../src/ui/turn/usage.ts";
import { FakeApp } from "../../support/fake-app.ts";
import { until } from "../../support/until.ts";
import { InApp } from "../in-app.tsx";
import { approval, appState, at, BEGIN, ended, snapshot, summary } from "../stories.ts";

let app: FakeApp;
beforeEach(() => {
	app = new FakeApp();
});
afterEach(() => {
	cleanup();
	app[Symbol.dispose]();
});

describe("what a list says of a thread", () => {
	const turn = ended({}, undefined).turn;
	const [assistant, noAccount] = [ProviderId.parse("assistant"), "No account could be used for this message"];
	const bad = (code: string) => ({ lastTurn: { ...turn, status: "failed" as const, resultDetail: { code } } });
	it.each<[string, Partial<ThreadSummary>, string]>([
		["what its run does", { pendingTurnId: turn.turnId, doing: "npm\u202E test" }, "npm⟨U+202E⟩ test"],
		[
			"what its run does, to the end",
			{ pendingTurnId: turn.turnId, doing: `${"ls; ".repeat(40)}rm -rf x` },
			`${"ls; ".repeat(40)}rm -rf x`,
		],
		["its one file", { lastTurn: turn, fileCount: 1, firstFile: "a.md", answer: "I wrote it." }, "a.md"],
		["how many files, and one of them", { lastTurn: turn, fileCount: 3, firstFile: "a.md" }, "a.md and 2 more files"],
		["its answer, when no file came out", { lastTurn: turn, answer: "  Because\nof the rain. " }, "Because of the rain."],
		[
			"its answer's words, not its links",
			{ lastTurn: turn, answer: "I saved [report](report.md) and ![a *chart*](c.png)" },
			"I saved report and a chart",
		],
		["its answer's words, not a link that is cut", { lastTurn: turn, answer: "See [the report](out/rep" }, "See the report"],
		["its answer's brackets, where they are no link", { lastTurn: turn, answer: "a[0] (first) and [x]" }, "a[0] (first) and [x]"],
		["its answer's words, not its look", { lastTurn: turn, answer: "## Done\n- **two** `x` 3 * 4 * 5" }, "Done two x 3 * 4 * 5"],
		[
			"its message to be sent, without the tags around it",
			{ lastTurn: turn, answer: "I looked it up.\n<deliverable>\nRain at 5.\n</deliverable>" },
			"I looked it up. Rain at 5.",
		],
		["its message to be sent, without a tag that is cut", { lastTurn: turn, answer: "<deliverable>\nRain at 5.\n</deliv" }, "Rain at 5."],
		["why it failed", bad("PROVIDER_EXITED"), "Codex ended unexpectedly"],
		["why the assistant, which nobody signs in to, failed", { ...bad("PROVIDER_AUTH_REQUIRED"), providerId: assistant }, noAccount],
		["who was not there", bad("PROVIDER_UNAVAILABLE"), "Codex was not available"],
		["what was asked, where the title does not say it", { pendingTurnId: turn.turnId, preview: "more of it" }, "more of it"],
		["that messages wait for the person", { ...bad("PROVIDER_EXITED"), queuedCount: 2 }, "2 queued messages on hold"],
		["nothing twice", { pendingTurnId: turn.turnId, preview: "title" }, ""],
	])("is %s", (_, more, said) => {
		expect(hintOfThread(summary("title", 1, more), "Codex")).toBe(said);
	});
});

describe("small numbers", () => {
	it("count a day by this computer's calendar, whatever the hour", () => {
		fc.assert(
			fc.property(
				fc.date({ min: new Date(0), max: new Date("2100-01-01"), noInvalidDate: true }),
				fc.integer({ min: -3e8, max: 3e8 }),
				(now, off) => {
					const other = new Date(now.getTime() + off);
					expect(dayOf(now.getTime())(other.toISOString())).toBe(other.toDateString() === now.toDateString());
				},
			),
		);
	});

	it("say bounds as they are set, and usage as far as it is known", () => {
		expect([0, 512, 10_485_760, 10_485_761, 9_437_184, 26_214_400].map(formatBytes)).toEqual([
			"0 B",
			"512 B",
			"10.5 MB",
			"10.5 MB",
			"9.4 MB",
			"26.2 MB",
		]);
		expect(usageParts({ inputTokens: 18_000, outputTokens: 200, costUsd: 0.25, contextUsed: 1000, contextSize: 8000 })).toEqual([
			"18.2k tokens",
			"$0.25 in this conversation",
			"13% of context used",
		]);
		expect(usageParts({})).toEqual([]);
	});

	it("do not state a use of the context that can't be", () => {
		expect(usageParts({ contextUsed: 9_999_999, contextSize: 1000 })).toEqual(["context use 10.0M of 1.0k tokens"]);
		expect(usageParts({ contextUsed: 1000, contextSize: 1000 })).toEqual(["100% of context used"]);
	});

	it("give every file of a message a name of its own, also on disks that tell no capitals apart", () => {
		const name = fc.constantFrom("a.txt", "A.txt", "a-2.txt", "image.png", ".env", "no-ending", "á.txt", "a\u0301.txt");
		fc.assert(
			fc.property(fc.array(name, { maxLength: 12 }), (names) => {
				const taken = new Set<string>();
				for (const each of names) {
					const free = freeName(each, taken);
					const folded = free.normalize("NFC").toLowerCase();
					expect(taken.has(folded)).toBe(false);
					taken.add(folded);
				}
			}),
		);
	});
});

describe("a request", () => {
	const show = (text: string, truncated = false) => {
		const asked = approval({ title: "rm -rf build", input: { text, truncated } });
		const still = { provider: "Codex", now: BEGIN, singleKeys: true, decide: () => undefined };
		return render(<ApprovalCard approval={asked} {...still} />).container.textContent;
	};

	it("says a command once, and leaves out nothing that its title does not say", () => {
		expect(show('{"command":"rm -rf build"}')?.match(/rm -rf build/g)).toHaveLength(1);
		for (const input of ['{"command":"rm -rf build","cwd":"/"}', '{"command":"rm -rf build /"}', '["rm -rf build"]', "not json"])
			expect(show(input)).toContain(input);
		expect(show('{"command":"rm -rf build"}', true)).toContain('{"command":"rm -rf build"}');
	});

	it("on the page of what waits names its agent and its folder, and its answer stays in its place", async () => {
		const thread = summary("thread1", 1, { providerId: "codex", workingDirectory: "/work/site", title: "The site" });
		const open = { threadId: thread.threadId, expiresAt: new Date(Date.now() + 60_000).toISOString() };
		const first = approval(open);
		const second = approval({ ...open, approvalId: ApprovalId.parse("ask2") });
		const here = new InApp({ ...appState, threads: [thread], approvals: [first, second] });
		const decided = { ...first, state: "decided", decision: "deny", decidedBy: "app", decidedAt: at(3) } as const;
		app.answers.set("decideApproval", () => ({ record: decided, applied: true }));
		render(<HomePage />, { wrapper: here.wrapper });
		const cards = () => screen.getAllByRole("region", { name: "codex wants to run a command" });
		expect(cards()).toHaveLength(2);
		// Two requests of one thread: the number says what it counts, as in the list beside it.
		expect(screen.getByRole("heading", { name: "Waiting for you 1 thread" })).toBeTruthy();
		expect(cards()[0]?.textContent).toContain("/work/site");
		const [deny] = screen.getAllByRole("button", { name: /^Deny/ });
		if (deny === undefined) throw new Error("there is no button");
		fireEvent.click(deny);
		await until("it is answered", () => cards().length === 1);
		expect(screen.getByText("Denied")).toBeTruthy();
		expect(app.of("decideApproval")).toEqual([{ approvalId: first.approvalId, decision: "deny" }]);
	});
});

describe("a plan", () => {
	it("has a step under way as long as its run is, and none once that is over", () => {
		const entries = [
			{ content: "read", state: "completed" },
			{ content: "write", state: "in_progress" },
		] as const;
		const { container, rerender } = render(<AgentPlan entries={[...entries]} live />);
		expect(container.querySelectorAll("[aria-current=step]")).toHaveLength(1);
		rerender(<AgentPlan entries={[...entries]} live={false} />);
		expect(container.querySelectorAll("[aria-current=step]")).toHaveLength(0);
		expect(screen.getByText("write").textContent).toBe("write, to do");
	});
});

describe("Home, of a run that was interrupted", () => {
	it.each([
		["no file of it is anywhere", 0, "Run log"],
		["the bridge has files of it", 2, "Show files"],
	] as const)("offers what exists, where %s", (_, collectedCount, offered) => {
		const lastTurn = { ...ended({}, undefined).turn, status: "interrupted", resultDetail: { code: "BRIDGE_RESTARTED" } } as const;
		const threads = [summary("thread1", 1, { lastTurn, collectedCount, updatedAt: new Date().toISOString() })];
		render(<HomePage />, { wrapper: new InApp({ ...appState, threads }).wrapper });
		const names = screen.getAllByRole("button").map(({ textContent }) => textContent);
		expect(["Run log", "Show files"].filter((name) => names.includes(name))).toEqual([offered]);
	});

	it.each([
		[true, "Edit and resend"],
		[undefined, "Retry"],
	] as const)("sends no message again with one press whose run may have acted: %s", (hasActed, offered) => {
		const lastTurn = { ...ended({}, undefined).turn, status: "failed", resultDetail: { code: "PROVIDER_EXITED" } } as const;
		const threads = [summary("thread1", 1, { lastTurn, updatedAt: new Date().toISOString(), ...(hasActed && { hasActed }) })];
		render(<HomePage />, { wrapper: new InApp({ ...appState, threads }).wrapper });
		expect(screen.getAllByRole("button").map(({ textContent }) => textContent)).toContain(offered);
	});

	it.each(["NO_OUTPUT", "PROVIDER_EXITED"] as const)("offers the plan after a plan's run that failed: %s", (code) => {
		const lastTurn = { ...ended({}, undefined).turn, status: "failed", resultDetail: { code } } as const;
		const threads = [summary("thread1", 1, { lastTurn, preview: "", updatedAt: new Date().toISOString() })];
		render(<HomePage />, { wrapper: new InApp({ ...appState, threads }).wrapper });
		const names = screen.getAllByRole("button").map(({ textContent }) => textContent);
		expect(["Open the plan", "Retry", "Edit and resend"].filter((name) => names.includes(name))).toEqual(["Open the plan"]);
	});

	it("says how many files a run changed, and not what its agent says of that", () => {
		const said = { lastTurn: ended({}, undefined).turn, answer: "Nothing was changed." };
		expect(hintOfThread(summary("thread1", 1, said), "Codex")).toBe("Nothing was changed.");
		expect(hintOfThread(summary("thread1", 1, { ...said, changedCount: 6 }), "Codex")).toBe("6 changed files");
	});
});

describe("trying again", () => {
	const required = [{ glob: "photos/*.jpg", minCount: 4 }];
	const note = {
		name: "a.txt",
		mediaType: "text/plain",
		sizeBytes: 1,
		sha256: "0".repeat(64),
	} as TurnDetail["request"]["attachments"][number];
	const threadId = ThreadId.parse("thread1");
	const failed = (kept: readonly string[]): TurnDetail => {
		const detail = ended({ status: "failed" }, snapshot({ status: "failed", success: false }), required);
		return { ...detail, request: { ...detail.request, attachments: [note] }, keptAttachments: kept };
	};
	const act = (action: "retry" | "ask_missing" | "fetch_again", detail: TurnDetail) => {
		const written: unknown[] = [];
		const composer: ComposerHandle = {
			write: (...given) => void written.push(given),
			writeAgain: ({ turn }) => void written.push(turn.turnId),
			choose: () => undefined,
			focus: () => undefined,
			isFree: async () => true,
			takeUp: () => undefined,
			putAbove: () => undefined,
		};
		actOnOutcome({ action, detail, threadId, composer, openPanel: () => undefined });
		return written;
	};

	it("sends the same message whole: words, files, and how many of which must come out", async () => {
		app.answers.set("send", () => ({ threadId, turnId: TurnId.parse("turn2") }));
		const detail = failed(["a.txt"]);
		expect(act("retry", detail)).toEqual([]);
		await until("it is sent", () => app.of("send").length === 1);
		expect(app.of("send")[0]).toMatchObject({
			prompt: "do it",
			require: required,
			attachAgain: [{ turnId: detail.turn.turnId, names: ["a.txt"] }],
		});
	});

	it("sends no work of a plan as a message: it opens the plan", () => {
		const detail = failed(["a.txt"]);
		const origin = { kind: "plan", id: "plan-1" } as TurnDetail["request"]["origin"] & object;
		expect(act("retry", { ...detail, request: { ...detail.request, origin } })).toEqual([]);
		expect([app.of("send"), location.hash]).toEqual([[], "#/plans/plan-1"]);
	});

	it("sends nothing without a file that is not kept: it is written for the person to see", () => {
		const detail = failed([]);
		expect(act("retry", detail)).toEqual([detail.turn.turnId]);
		expect(app.of("send")).toEqual([]);
	});

	it("asks for what is missing and requires all of it again", () => {
		const detail = failed([]);
		const [given] = act("ask_missing", detail);
		expect(given).toEqual([expect.stringContaining("- photos/*.jpg (at least 4)"), { require: required }]);
		// The bridge checked all files, and the snapshot lists only the first of them.
		const end = snapshot({ status: "artifact_missing", success: false, message: "Required files are missing: b.md (0 of 1).\nmore" });
		const cut = { ...detail, snapshot: { ...end, artifacts: { ...end.artifacts, count: 250 } } };
		const [[words] = []] = act("ask_missing", cut) as string[][];
		expect(words?.split("\n")).toEqual([
			"Required files are missing: b.md (0 of 1).",
			"All of these are required, since each run is checked separately:",
			"- photos/*.jpg (at least 4)",
			"Please write them as files, not as text in the answer.",
		]);
		const contract = { ...detail.request.contract, required: [], requiresExport: true };
		const [any] = act("ask_missing", { ...detail, request: { ...detail.request, contract } });
		expect(any).toEqual([expect.stringContaining("- at least one file"), { requiresExport: true }]);
	});
});
