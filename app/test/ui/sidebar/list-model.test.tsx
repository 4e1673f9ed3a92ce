import { describe, expect, it } from "vitest";
import { type ShownState, stateWords } from "../../../src/strings/runs/states.ts";
import { AppRefusal, sayError } from "../../../src/ui/connection/app-refusal.ts";
import { isCommand, keysOf, letterOf } from "../../../src/ui/text/key-names.ts";
import { asSentence } from "../../../src/ui/text/sentence.ts";
import { hintOfThread, underWayTitle, wordsOfEnd } from "../../../src/ui/turn/thread-hint.ts";
import { groupThreads, isQuiet, threadState, threadWord, waitingCount } from "../../../src/ui/turn/thread-state.ts";
import { at, BEGIN, ended, summary } from "../stories.ts";

const turn = ended({}, undefined).turn;
const last = (status: typeof turn.status) => ({ lastTurn: { ...turn, status } });

describe("what a list says of a thread", () => {
	const asked = (title: string, preview: string) => hintOfThread(summary(title, 1, { preview, ...last("running") }), "Codex");
	const long = "Would you like me to write the report as a document with pictures, or as a page that can be opened in any browser ".repeat(
		2,
	);

	it("[D16] never begins in the middle of the user's message", () => {
		expect(asked("Write one progra…", "Write one program. ```ts const agents")).toBe("");
		expect(asked("Write one…", "Write one program.")).toBe("");
		expect(asked("one", "onerous work")).toBe("onerous work");
		expect(asked("Say one", "Say one.")).toBe("");
		expect(asked("Say one", "Say one, two")).toBe("");
		expect(asked("My report", "Say one, two")).toBe("Say one, two");
	});

	it("is what was said last, also by an agent that was stopped", () => {
		const of = (more: object) => hintOfThread(summary("Say one", 1, { preview: "Say one, two", ...last("cancelled"), ...more }), "Codex");
		expect(of({ answer: "One, tw" })).toBe("One, tw");
		expect(of({})).toBe("");
	});

	it("[D16] ends with … where it is cut, and with a whole word", () => {
		const said = hintOfThread(summary("t", 1, { ...last("completed"), answer: long.slice(0, 200) }), "Codex");
		expect(said).toMatch(/^Would you like me to .*…$/);
		expect(said.length).toBeLessThanOrEqual(121);
		expect(long.startsWith(said.slice(0, -1))).toBe(true);
		expect(long.charAt(said.length - 1)).toBe(" ");
		expect(hintOfThread(summary("t", 1, { ...last("completed"), answer: "short" }), "Codex")).toBe("short");
		expect(hintOfThread(summary("t", 1, { ...last("completed"), answer: "x".repeat(200) }), "Codex")).toBe(`${"x".repeat(120)}…`);
	});
});

describe("a thread whose run was not done with everything", () => {
	it("is not shown as succeeded, and is no failure either", () => {
		const denied = summary("t", 1, { ...last("completed"), lacking: "undone" });
		expect(threadState(denied, false)).toBe("not_all_done");
		expect(threadState(summary("t", 1, last("completed")), false)).toBe("succeeded");
		expect(threadState({ ...denied, lacking: "unknown" }, false)).toBe("outcome_unknown");
		expect(threadState({ ...denied, lacking: "unverified" }, false)).toBe("not_verified");
		expect(threadState({ ...denied, lacking: "rejected" }, false)).toBe("files_rejected");
		expect(isQuiet("files_rejected")).toBe(false);
		expect(threadState(summary("t", 1, { ...last("failed"), lacking: "undone" }), false)).toBe("failed");
		expect(groupThreads([denied], new Set(), Date.parse(denied.updatedAt))[0]?.group).toBe("today");
	});

	it("says that its agent acted without permission, however the run ended, and then needs attention", () => {
		const acted = (status: typeof turn.status, more: object = {}) => {
			const thread = summary("t", 1, { ...last(status), answer: "Done.", fileCount: 1, unpermitted: "unanswered", ...more });
			const [listed] = groupThreads([thread], new Set(), Date.parse(thread.updatedAt));
			const state = threadState(thread, false);
			return [listed?.group, stateWords[state], threadWord(thread, state), hintOfThread(thread, "Codex")];
		};
		const say = "The agent acted without your answer, by its own report";
		expect(acted("completed", { lacking: "unknown" })).toEqual(["failed", "Permission in doubt", undefined, say]);
		expect(acted("completed", { failedCommands: 1 })).toEqual([
			"failed",
			"Permission in doubt",
			"Permission in doubt · 1 command failed",
			say,
		]);
		expect(acted("cancelled")).toEqual(["failed", "Cancelled", "Cancelled", say]);
		const resultDetail = { code: "PROVIDER_EXITED", message: "It exited." };
		expect(acted("failed", { lastTurn: { ...turn, status: "failed", resultDetail } })).toEqual(["failed", "Failed", undefined, say]);
		expect(acted("cancelled", { queuedCount: 1 })[3]).toMatch(
			/^The agent acted without your answer, by its own report · .*1 queued message/,
		);
		expect(acted("running", { pendingTurnId: turn.turnId, doing: "Reading" }).slice(0, 2)).toEqual(["running", "Running"]);
	});

	it("says of a success how many commands failed in it, and nothing of the kind of a failure", () => {
		const word = (failedCommands: number | undefined, state: ShownState) =>
			threadWord(failedCommands === undefined ? {} : { failedCommands }, state);
		expect(word(1, "succeeded")).toBe("Succeeded · 1 command failed");
		expect(word(2, "not_verified")).toBe("Not verified · 2 commands failed");
		expect([word(undefined, "succeeded"), word(1, "failed"), word(1, "running")]).toEqual([undefined, undefined, undefined]);
	});
});

describe("a thread whose run was asked to stop", () => {
	it("says so while the run works on, whoever asked: the user, or a plan that was cancelled", () => {
		const word = (more: object) => {
			const { lastTurn, ...rest } = summary("t", 1, last("running"));
			const thread = { ...rest, ...(lastTurn && { lastTurn: { ...lastTurn, ...more } }) };
			return threadWord(thread, threadState(thread, false));
		};
		const at = "2026-01-02T03:04:05.006Z";
		expect([word({}), word({ cancelRequestedAt: at }), word({ stoppingSince: at })]).toEqual([
			undefined,
			"Stop requested",
			"Stop requested",
		]);
	});
});

describe("the list's groups", () => {
	const threads = [
		summary("asked", 9, last("running")),
		summary("held", 8, { ...last("cancelled"), queuedCount: 1 }),
		summary("stuck", 8, { ...last("completed"), queuedCount: 1, isQueueStuck: true }),
		summary("runs", 7, last("running")),
		...(["failed", "artifact_missing", "interrupted", "unresolved", "refused"] as const).map((status) => summary(status, 6, last(status))),
		summary("done", 5, last("completed")),
		summary("stopped", 4, last("cancelled")),
		summary("old", -200_000, last("failed")),
	];
	const groups = groupThreads(threads, new Set(["asked"]), BEGIN);
	const names = (group: string) => groups.find((one) => one.group === group)?.threads.map(({ thread }) => thread.title);

	it("[D20] tell what failed apart from what finished", () => {
		expect(names("needs")).toEqual(["asked", "held", "stuck"]);
		expect(names("failed")).toEqual(["failed", "artifact_missing", "interrupted", "unresolved", "refused"]);
		expect(names("today")).toEqual(["done", "stopped"]);
		expect(names("earlier")).toEqual(["old"]);
	});

	it("have a run whose files are not all in the folder among what needs attention, with the reason", () => {
		const resultDetail = { code: "PATH_BLOCKED", message: "1 of 2 files could not be saved: b.md." };
		const blocked = summary("blocked", 5, {
			lastTurn: { ...turn, status: "completed", syncStatus: "partial", resultDetail },
			fileCount: 1,
		});
		const [listed] = groupThreads([blocked], new Set(), BEGIN);
		expect(listed).toMatchObject({ group: "failed", threads: [{ state: "not_saved" }] });
		expect(hintOfThread(blocked, "Codex")).toBe("1 of 2 files could not be saved: b.md.");
		expect(wordsOfEnd(blocked)?.actions).toEqual(["fetch_again", "run_log"]);
	});

	it("say of a run whose deadline passed whether it timed out, or was asked to stop and did not confirm it", () => {
		const hint = (stop: Pick<typeof turn, "cancelRequestedAt" | "stoppingSince">) => {
			const lastTurn = { ...turn, ...stop, status: "interrupted", resultDetail: { code: "DEADLINE_EXCEEDED", message: "x" } } as const;
			return hintOfThread(summary("late", 5, { lastTurn }), "Codex");
		};
		expect(hint({})).toBe("Timed out");
		expect(hint({ cancelRequestedAt: turn.createdAt })).toBe("Outcome unknown: the stop wasn’t confirmed");
		// By another program or with its plan.
		expect(hint({ stoppingSince: turn.createdAt })).toBe("Outcome unknown: the stop wasn’t confirmed");
	});

	it("say of a run whose outcome is unknown that it is, whatever kept the app from asking", () => {
		const of = (code: string) => {
			const lastTurn = { ...turn, status: "unresolved", resultDetail: { code, message: "x" } } as const;
			return hintOfThread(summary("t", 1, { lastTurn }), "Codex");
		};
		expect(of("ACP_HTTP_CONNECT_FAILED")).toBe("Outcome unknown: lost contact with the bridge");
		expect(of("INTERNAL")).toBe("Outcome unknown: lost contact with the bridge");
		// Without a run, it may never have arrived.
		expect(of("NOT_FOUND")).toBe("Outcome unknown: the bridge doesn’t know this message");
	});

	it("say over threads under way whether they run, are queued, or both", () => {
		const under = (...statuses: readonly (typeof turn.status)[]) =>
			groupThreads(
				statuses.map((status, index) => summary(`${status} ${index}`, 5, last(status))),
				new Set(),
				BEGIN,
			).flatMap(({ threads }) => threads);
		const live = { isLive: true, heardAt: undefined };
		expect(underWayTitle(under("running", "sending"), live)).toBe("Running");
		expect(underWayTitle(under("queued", "waiting", "queued"), live)).toBe("Queued");
		expect(underWayTitle(under("running", "queued"), live)).toBe("Running and queued");
		const lost = { isLive: false, heardAt: at(1) };
		expect(underWayTitle(under("running"), lost)).toBe("Last seen running");
		expect(underWayTitle(under("running", "queued"), lost)).toBe("Last seen running and queued");
		expect(underWayTitle(under("queued"), lost)).toBe("Last seen queued");
	});

	it("[D20] have as many threads that wait as the badge says", () => {
		expect(waitingCount(threads, new Set(["asked"]))).toBe(names("needs")?.length);
		expect(waitingCount([summary("a", 1, { ...last("failed"), queuedCount: 2, lifecycleStatus: "archived" })], new Set())).toBe(0);
		expect(waitingCount([], new Set(["not listed yet"]))).toBe(1);
	});
});

describe("what went wrong", () => {
	it.each([
		["the app does not answer", "The app does not answer."],
		["Is it there?", "Is it there?"],
		["it waits…", "It waits…"],
		["it said “no.”", "It said “no.”"],
		["/home/a is full", "/home/a is full."],
		["report.md is missing", "report.md is missing."],
		["agentName is empty", "agentName is empty."],
		["npm is not there", "npm is not there."],
		["über", "Über."],
		["  ", ""],
	])("[D33] %j is said as %j", (text, said) => expect(asSentence(text)).toBe(said));

	it("[D33] is said in sentences, with what helps", () => {
		expect(sayError(new AppRefusal("X", "the folder is full", "remove a file"))).toBe("The folder is full. Remove a file.");
	});
});

describe("keys", () => {
	const pressed = (more: Partial<KeyboardEvent>) => ({ ctrlKey: false, metaKey: false, altKey: false, shiftKey: false, ...more });

	it("[D25] are told by their letter, and where Alt or the layout makes it another one, by their place", () => {
		expect(letterOf({ key: "¥", code: "KeyY" })).toBe("y");
		expect(letterOf({ key: "н", code: "KeyY" })).toBe("y");
		expect(letterOf({ key: "Y", code: "KeyZ" })).toBe("y");
		expect(letterOf({ key: "ArrowUp", code: "ArrowUp" })).toBe("arrowup");
		expect(letterOf({ key: "/", code: "Slash" })).toBe("/");
	});

	it("[D25] with Ctrl stay the field's own on a Mac, where Cmd is the page's", () => {
		expect(isCommand(pressed({ ctrlKey: true }), true)).toBe(false);
		expect(isCommand(pressed({ metaKey: true }), true)).toBe(true);
		expect(isCommand(pressed({ ctrlKey: true }), false)).toBe(true);
		expect(isCommand(pressed({ ctrlKey: true, altKey: true }), false)).toBe(false);
	});

	it("[D25] are named as this computer's keyboard names them", () => {
		expect(keysOf("Mod+K", true)).toBe("⌘K");
		expect(keysOf("Mod+K", false)).toBe("Ctrl+K");
	});
});
