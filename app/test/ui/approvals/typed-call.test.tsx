import { cleanup, fireEvent, render, screen, waitFor, within } from "@testing-library/react";
import type { Approval, ApprovalDecision } from "@xworkmate/contracts";
import { afterEach, describe, expect, it, vi } from "vitest";
import { ApprovalCard } from "../../../src/ui/approvals/approval-card.tsx";
import { ApprovalPrompt } from "../../../src/ui/approvals/approval-prompt.tsx";
import { type CallFacts, changedSince, ruleOf } from "../../../src/ui/approvals/call-facts.ts";
import { RequestGroup } from "../../../src/ui/approvals/request-group.tsx";
import { wholeInput } from "../../../src/ui/approvals/whole-input.ts";
import { untold } from "../../../src/ui/state/toasts.ts";
import { INPUT, integration, NEW, OLD, receipt, sources, tool, typedCall, windowCall } from "../action-stories.ts";
import { fakeApp, Refused } from "../fake-app.ts";
import { InApp } from "../in-app.tsx";
import { approval, appState, at, BEGIN } from "../stories.ts";

afterEach(() => {
	cleanup();
	vi.unstubAllGlobals();
});

const facts: CallFacts = { isRead: true, input: INPUT, code: "accepted", again: () => undefined };
const card = (approval: Approval, more: object = {}) => {
	const decided: ApprovalDecision[] = [];
	const decide = (decision: ApprovalDecision) => void decided.push(decision);
	const { container } = render(
		<ApprovalCard {...{ provider: "Script", now: BEGIN, singleKeys: true, decide, facts, approval, ...more }} />,
	);
	return { container, decided };
};

describe("a request of a tool", () => {
	it.each([
		["read", "Script wants to read data", "Read"],
		["write", "Script wants to make a change", "Write"],
		["destructive", "Script wants to delete or overwrite something", "Destructive"],
	] as const)("is named by its risk %s in our words, whatever the tool says", (risk, title, word) => {
		const { container } = card(typedCall({ risk, words: "Nothing at all happens", title: "Harmless" }));
		expect(screen.getByRole("heading").textContent).toBe(title);
		expect(container.querySelector(`.risk-${risk}`)?.textContent).toBe(word);
		expect(container.querySelector(".tid")?.textContent).toBe("calendar.events.delete");
		expect(container.querySelector(".ask-say")?.textContent).toBe("Nothing at all happens");
	});

	it("shows 12 digits of the input's hash closed, and the whole input with all 64 open, by press and by I", () => {
		const { container } = card(typedCall());
		const input = container.querySelector("details");
		expect(input?.textContent).toContain("9f2c 41d7 e0ab");
		expect(input?.textContent).toContain("3 fields, 73 B");
		expect(input?.textContent).not.toContain("dentist");
		fireEvent.keyDown(screen.getByRole("region", { name: /delete or overwrite/ }), { key: "i" });
		expect(input?.open).toBe(true);
		expect(input?.querySelector("pre.whole")?.textContent).toBe(JSON.stringify(JSON.parse(INPUT), undefined, "  "));
		expect(input?.textContent).toContain("9f2c41d7e0ab".padEnd(64, "5"));
		expect(input?.textContent).toContain(NEW);
	});

	it("names the secrets, what 15 minutes cover, why it asks, and what happens without an answer", () => {
		const { container } = card(windowCall(), { facts: { ...facts, rule: "ask" } });
		for (const said of [
			"CALDAV_PASSWORD is given to this tool",
			"Covers calendar.events.create in this thread, and ends early if the tool’s code changes.",
			"You set this tool to Ask.",
			"Denied automatically at",
		])
			expect(container.textContent).toContain(said);
		expect(screen.getAllByRole("button").map(({ textContent }) => textContent)).toEqual(["Allow onceA", "Allow for 15 minW", "DenyD"]);
	});

	it("says that code was not accepted, that the words are the tool's, and opens the input at once", () => {
		const { container } = card(windowCall({ options: ["allow_once", "deny"] }), { facts: { ...facts, code: "unaccepted" } });
		expect(container.querySelector(".note")?.textContent).toContain("You haven’t accepted this version of the tool.");
		expect(container.querySelector(".ask-say")?.textContent).toMatch(/^The tool says: /);
		expect(container.querySelector("details")?.open).toBe(true);
		expect(screen.getByText("Asks until accepted")).toBeDefined();
		expect(screen.getByRole("link", { name: "Review the code" }).getAttribute("href")).toBe("#/tools/calendar");
	});

	it("says of code that is no longer in use that the call can only be denied, and neither when it asks nor what else changed", () => {
		const changed = { toolHash: OLD, at: at(1) };
		const { container } = card(typedCall({ options: ["deny"] }), { facts: { ...facts, code: "gone", changed } });
		expect([...container.querySelectorAll(".note")].map(({ textContent }) => textContent)).toEqual([
			"The tool has changed or was removed after this request. This call can’t run unless that is undone, so for now you can only deny it.",
		]);
		expect(screen.getAllByRole("button").map(({ textContent }) => textContent)).toEqual(["DenyD"]);
		expect(container.textContent).not.toContain("Asks every time");
	});

	it("says of a tool that the user's rule denies that the call can only be denied, and leads to the rule", () => {
		const { container } = card(typedCall({ options: ["deny"] }), { facts: { ...facts, code: "forbidden" } });
		expect(container.querySelector(".note")?.textContent).toContain(
			"Your rule denies all calls to this tool. This call can’t run unless you change the rule, so for now you can only deny it.",
		);
		expect(screen.getByRole("link", { name: "Change" }).getAttribute("href")).toBe("#/tools/calendar");
		expect(screen.getAllByRole("button").map(({ textContent }) => textContent)).toEqual(["DenyD"]);
		expect(container.textContent).not.toContain("Asks every time");
	});

	it("claims nothing about acceptance that it could not read, and says that the input is not whole", () => {
		const again: string[] = [];
		const unsure = { isRead: true, code: "unsure", inputProblem: "The bridge didn’t respond.", again: () => void again.push("again") };
		const { container } = card(typedCall(), { facts: unsure });
		expect(container.textContent).toContain("Couldn’t check whether you accepted this tool.");
		expect(container.textContent).not.toContain("You haven’t accepted");
		expect(container.textContent).toContain("The whole input couldn’t be read. The bridge didn’t respond.");
		expect(container.textContent).not.toContain("3 fields");
		fireEvent.click(screen.getByRole("button", { name: "Try again" }));
		expect(again).toEqual(["again"]);
	});

	it("is answered by no press and no letter before what it shows was read", () => {
		const { decided, container } = card(typedCall(), { facts: undefined });
		for (const button of screen.getAllByRole("button")) expect(button.hasAttribute("disabled")).toBe(true);
		fireEvent.keyDown(screen.getByRole("region"), { key: "a" });
		expect(decided).toEqual([]);
		expect(container.querySelector(".note")).toBeNull();
		cleanup();
		const read = card(typedCall());
		fireEvent.keyDown(screen.getByRole("region"), { key: "w" });
		fireEvent.keyDown(screen.getByRole("region"), { key: "d" });
		expect(read.decided).toEqual(["deny"]);
	});

	it("keeps its place once answered, with who answered where, and folds to a line afterwards", () => {
		const decided = {
			state: "decided",
			decision: "allow_once",
			decidedBy: "discord:mira",
			decidedAt: new Date(BEGIN + 38_000).toISOString(),
		};
		const { container } = card(typedCall(decided), { stays: true, facts: { ...facts, code: "unaccepted" } });
		expect(screen.getByRole("heading").textContent).toBe("Allowed once by mira on Discord");
		expect(container.textContent).toMatch(/(?:\w+ )*\d{1,2}:\d\d, 38 s after it was requested\./);
		expect(container.querySelector("header")?.textContent?.match(/\d{1,2}:\d\d/g)).toHaveLength(1);
		expect(container.textContent).toContain("The tool says:");
		expect(container.querySelector("[data-approval]")).toBeNull();
		expect(screen.queryAllByRole("button", { name: /^(Allow|Deny)/ })).toEqual([]);
		expect(container.querySelector("footer")?.textContent).toBe("Allowed once");
		cleanup();
		expect(card(typedCall(decided)).container.textContent).toMatch(
			/^Allowed once by mira on Discord, (?:\w+ )*\d{1,2}:\d\d: Delete the event/,
		);
	});

	it.each([
		[{ state: "decided", decision: "deny", decidedBy: "person", reason: "person" }, /^Denied by you/],
		[{ state: "decided", decision: "deny", decidedBy: "person", reason: "policy" }, /^Denied by your rule/],
		[{ state: "expired", reason: "expired" }, /^Expired, denied automatically/],
		[{ state: "withdrawn", reason: "withdrawn" }, /^Not answered: the request was withdrawn/],
		[{ state: "withdrawn", reason: "run_stopped" }, /^Not answered: the run was stopped/],
		[{ state: "withdrawn", reason: "run_ended" }, /^Not answered: the run ended first/],
		[{ state: "withdrawn", reason: "bridge_stopped" }, /^Not answered: the bridge stopped/],
		[{ state: "decided", decision: "deny", decidedBy: "policy", reason: "tool_changed" }, /^Nothing was run: the tool changed/],
		[{ state: "decided", decision: "deny", decidedBy: "discord:\u202Eeve", reason: "person" }, /^Denied by ⟨U\+202E⟩eve on Discord/],
	])("says how it ended: %o", (end, said) => {
		expect(card(typedCall(end)).container.textContent).toMatch(said);
	});
});

describe("several open requests", () => {
	it("are denied together and allowed one by one; what is not sent stays open", async () => {
		const asked = (approvalId: string) => typedCall({ approvalId, threadId: "thread1" });
		const here = new InApp({ ...appState, approvals: [asked("ask1"), asked("ask2"), approval({ approvalId: asked("ask3").approvalId })] });
		const calls = fakeApp({
			approvalInput: new Refused("X", "x"),
			listTools: new Refused("X", "x"),
			listReceipts: new Refused("X", "x"),
			decideApproval: ({ approvalId }: { readonly approvalId: string }) =>
				approvalId === "ask2"
					? new Refused("ANSWER_NOT_SENT", "Nothing was decided.")
					: { applied: true, record: typedCall({ approvalId, state: "decided", decision: "deny", decidedBy: "person" }) },
		});
		const { rerender } = render(<RequestGroup approvals={[asked("ask1")]} provider="Script" />, { wrapper: here.wrapper });
		const first = () => document.querySelector<HTMLElement>("[data-approval=ask1]");
		const before = first();
		before?.focus();
		expect(screen.queryByRole("button", { name: /^Deny (both|all)/ })).toBeNull();
		rerender(<RequestGroup approvals={[asked("ask1"), asked("ask2")]} provider="Script" />);
		// A request that becomes one of several keeps its place and the focus.
		expect([first(), document.activeElement]).toEqual([before, before]);
		expect(screen.getByRole("heading", { level: 2 }).textContent).toBe("2 requests from this run, 2 open");
		expect(screen.queryByRole("button", { name: /^Allow (both|all)/ })).toBeNull();
		fireEvent.click(screen.getByRole("button", { name: "Deny both" }));
		await waitFor(() => expect(untold.value.map(({ text }) => text).join()).toContain("Nothing was decided."));
		expect(calls.filter(({ method }) => method === "decideApproval").map(({ params }) => params)).toEqual([
			{ approvalId: "ask1", decision: "deny" },
			{ approvalId: "ask2", decision: "deny" },
		]);
		expect(screen.getByRole("heading", { level: 2 }).textContent).toBe("2 requests from this run, 1 open");
		expect(screen.getByRole("region", { name: /^Denied/ }).className).toContain("answered");
		expect(screen.queryByRole("button", { name: /^Deny (both|all)/ })).toBeNull();
	});
});

describe("an answer that came too late", () => {
	const stopped = { state: "withdrawn", reason: "run_stopped" } as const;
	const late: readonly (readonly [Partial<Approval>, string])[] = [
		[stopped, "Not answered: the run is no longer waiting for an answer."],
		[{ state: "expired" }, "Not answered: the request had expired and was denied automatically."],
		[{ state: "decided", decision: "allow_once", decidedBy: "person" }, "Already answered: Allowed once."],
		[
			{ state: "decided", decision: "allow_window", windowSeconds: 900, decidedAt: "2026-01-01T00:00:00.000Z" },
			"Already answered: Allowed with a 15-minute permission. The permission has ended.",
		],
		[{ state: "decided", decision: "deny", decidedBy: "policy", reason: "tool_changed" }, "Nothing was run: the tool changed."],
	];

	it.each(late)("says what became of the request, and of one that nobody answered never that it was: %j", async (record, said) => {
		untold.set([]);
		const expiresAt = new Date(Date.now() + 60_000).toISOString();
		const asked = typedCall({ approvalId: "ask1", threadId: "thread1", expiresAt });
		fakeApp({ decideApproval: { applied: false, record: { ...asked, ...record } } });
		render(<ApprovalPrompt approval={asked} provider="Script" />, { wrapper: new InApp({ ...appState, approvals: [asked] }).wrapper });
		const deny = screen.getByRole("button", { name: /^Deny/ });
		await waitFor(() => expect(deny).toHaveProperty("disabled", false));
		fireEvent.click(deny);
		await waitFor(() => expect(untold.value.map(({ text }) => text)).toEqual([said]));
	});

	it("is not silent where several requests are denied together", async () => {
		untold.set([]);
		const asked = ["ask1", "ask2"].map((approvalId) => typedCall({ approvalId, threadId: "thread1" }));
		const record = (approvalId: string) => ({ ...typedCall({ approvalId }), ...(approvalId === "ask1" ? stopped : late[2]?.[0]) });
		fakeApp({ decideApproval: ({ approvalId }: { readonly approvalId: string }) => ({ applied: false, record: record(approvalId) }) });
		render(<RequestGroup approvals={asked} provider="Script" />, { wrapper: new InApp({ ...appState, approvals: asked }).wrapper });
		fireEvent.click(screen.getByRole("button", { name: "Deny both" }));
		await waitFor(() => expect(untold.value.map(({ text }) => text)).toEqual([late[0]?.[1], late[2]?.[1]]));
	});
});

describe("requests that were answered before the page showed them", () => {
	it("are lines, and no card", () => {
		const over = (approvalId: string) =>
			typedCall({ approvalId, state: "decided", decision: "deny", decidedBy: "person", reason: "person", decidedAt: at(9) });
		fakeApp({});
		const { container } = render(<RequestGroup approvals={[over("ask1"), over("ask2")]} provider="Script" />, {
			wrapper: new InApp(appState).wrapper,
		});
		expect([container.querySelectorAll("p.said").length, container.querySelector(".out")]).toEqual([2, null]);
	});
});

describe("the whole input of a call", () => {
	it("is laid out only where that changes nothing of it", () => {
		expect(wholeInput('{"a":1}')).toEqual({ text: '{\n  "a": 1\n}', bytes: 7, fields: 1 });
		for (const sent of [
			'{"a":1.0}',
			'{"a":12345678901234567890}',
			'{"a":1,"a":2}',
			'{"a": 1}',
			"{",
			"\u0000",
			`${"[".repeat(20_000)}${"]".repeat(20_000)}`,
		])
			expect(wholeInput(sent).text).toBe(sent);
		expect(wholeInput('{"__proto__":{"x":1}}')).toMatchObject({ text: '{\n  "__proto__": {\n    "x": 1\n  }\n}', fields: 1 });
	});

	it("writes out controls and marks that turn the order", () => {
		const { container } = card(typedCall({ words: "a\u202Eb" }), { facts: { ...facts, input: '{"to":"x\u202Ey"}', code: "unaccepted" } });
		expect(container.querySelector("pre.whole")?.textContent).toContain("x⟨U+202E⟩y");
		expect(container.querySelector(".ask-say")?.textContent).toContain("a⟨U+202E⟩b");
	});
});

describe("what the page finds out about a call", () => {
	const call = { toolId: typedCall().toolId, toolHash: typedCall().toolHash } as Pick<Approval, "toolId" | "toolHash">;

	it("takes the rule of exactly this tool", () => {
		const tools = [tool("calendar.events.delete", "destructive", { rule: "ask" })];
		expect(ruleOf(call, [integration("calendar", { tools })])).toBe("ask");
		expect(ruleOf(call, [integration("calendars", { tools })])).toBeUndefined();
	});

	it("compares with what a person allowed last, and not with what a rule allowed", () => {
		const allowed = (n: number, toolHash: string, decision: string) =>
			receipt(n, "approved", { toolHash, decision: { by: "person", decision } });
		expect(changedSince(call, [allowed(2, OLD, "allow_once")])).toMatchObject({ toolHash: OLD });
		expect(changedSince(call, [allowed(3, OLD, "allow"), allowed(2, NEW, "allow_window")])).toBeUndefined();
		expect(changedSince(call, [])).toBeUndefined();
	});

	it("reads it once, shows the changes in place, and says an answer that was not sent", async () => {
		const versions = new Map([
			[OLD, sources({ toolHash: OLD, files: [{ path: "tools.ts", text: "await remove(id);" }] })],
			[NEW, sources({ files: [{ path: "tools.ts", text: "await remove(id, { notify });" }] })],
		]);
		const calls = fakeApp({
			approvalInput: { record: typedCall(), input: INPUT },
			listTools: {
				integrations: [integration("calendar", { toolHash: NEW, accepted: { toolHash: NEW, at: receipt(1, "started").at, by: "person" } })],
			},
			listReceipts: { items: [receipt(2, "approved", { toolHash: OLD, decision: { by: "person", decision: "allow_once" } })] },
			toolSources: ({ toolHash }: { readonly toolHash: string }) => versions.get(toolHash),
			decideApproval: () => new Refused("ANSWER_NOT_SENT", "The bridge did not respond. Nothing was decided."),
		});
		const here = new InApp({ ...appState, serverTime: appState.serverTime });
		const expiresAt = new Date(Date.now() + 900_000).toISOString();
		render(<ApprovalPrompt approval={typedCall({ expiresAt })} provider="Script" />, { wrapper: here.wrapper });
		fireEvent.click(await screen.findByRole("button", { name: "Show the changes" }));
		const diff = await screen.findByRole("region", { name: "Changes to tools.ts" });
		expect(within(diff).getByText("await remove(id, { notify });")).toBeDefined();
		expect(diff.className).toContain("whole");
		fireEvent.click(screen.getByRole("button", { name: /Allow once/ }));
		expect((await screen.findByRole("alert")).textContent).toContain("Nothing was decided.");
		await waitFor(() => expect(calls.filter(({ method }) => method === "approvalInput")).toHaveLength(1));
		expect(calls.find(({ method }) => method === "listReceipts")?.params).toMatchObject({
			toolId: "calendar.events.delete",
			type: "tool.call.approved",
		});
	});
});
