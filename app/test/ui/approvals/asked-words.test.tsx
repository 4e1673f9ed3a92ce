import { cleanup, fireEvent, render, screen } from "@testing-library/react";
import { type Approval, ToolCallId } from "@xworkmate/contracts";
import { afterEach, expect, it } from "vitest";
import { askedLines } from "../../../src/cli/words/requests/asked-lines.ts";
import { limitLines } from "../../../src/cli/words/requests/grant-words.ts";
import { ApprovalCard } from "../../../src/ui/approvals/approval-card.tsx";
import { ToolRow } from "../../../src/ui/run/tool-call-row.tsx";
import { approval, at, BEGIN } from "../stories.ts";

afterEach(cleanup);

const still = { provider: "Codex", now: BEGIN, singleKeys: true, decide: () => undefined };
const show = (more: Partial<Approval>) => render(<ApprovalCard {...still} approval={approval(more)} />).container;
const inputOf = (fields: object) => ({ input: { text: JSON.stringify(fields), truncated: false } });
const warning = { text: "WARNING: this also deletes the branch", truncated: false };

it("a request shows what its agent says about the call, on the card and in the command", () => {
	const request = { title: "git status", ...inputOf({ command: "git status" }), says: warning };
	expect(show(request).textContent).toContain(`What the agent says about it${warning.text}`);
	expect(askedLines(approval(request), "git status")).toContain(`  what the agent says about it: ${warning.text}`);
});

it("a call shows what its agent said about it apart from its output", () => {
	const call = { toolCallId: ToolCallId.parse("c1"), title: "git status", toolKind: "execute", state: "pending", says: warning } as const;
	render(<ToolRow item={{ kind: "tool", key: "c:c1", call, from: at(0), to: at(1) }} open="live" />);
	fireEvent.click(screen.getByText("git status"));
	expect(screen.getByText("What the agent says about it")).toBeDefined();
	expect(screen.queryByText("Output")).toBeNull();
});

it("a call shows a text once that its agent said before it and that is its output", () => {
	const call = { toolCallId: ToolCallId.parse("c1"), title: "git status", toolKind: "execute", state: "completed" } as const;
	const item = { kind: "tool", key: "c:c1", call: { ...call, says: warning, output: warning }, from: at(0), to: at(1) } as const;
	render(<ToolRow item={item} open="live" />);
	fireEvent.click(screen.getByText("git status"));
	expect(screen.getByText("Output")).toBeDefined();
	expect(screen.queryByText("What the agent says about it")).toBeNull();
});

it("a request names the answer that its agent gets, if it may mean more than a yes or is one of several", () => {
	expect(show({ allowNames: ["Run and push", "Run only"] }).textContent).toContain(
		"“Allow once” sends the agent the answer “Run and push”. The agent also offers “Run only”, which you can’t choose here.",
	);
	cleanup();
	expect(show({ allowNames: ["Allow and delete everything"] }).textContent).toContain(
		"“Allow once” sends the agent the answer “Allow and delete everything”.",
	);
	for (const name of ["Allow", "Allow once", "Yes", "Yes, proceed", "Approve", ""]) {
		cleanup();
		expect(show({ allowNames: [name] }).textContent, name).not.toContain("sends the agent");
	}
	expect(limitLines(approval({ allowNames: ["Run\u202e", "{provider}"] }))[0]).toMatch(
		/^ {2}“Allow once” sends the agent the answer “Run\S+”\. The agent also offers “{provider}”/,
	);
});

it("a request shows the few short texts of its input that it doesn't know, and folds many", () => {
	const seen = (fields: object) => {
		cleanup();
		const container = show({ title: "send_mail", toolKind: "other", ...inputOf(fields) });
		return [...container.querySelectorAll(".asked-part")].map(({ textContent }) => textContent);
	};
	expect(seen({ to: "bob@x.com", text: "hi", draft: true })).toEqual(["tobob@x.com", "Contenthi"]);
	expect(screen.getByText("Other fields (1)")).toBeDefined();
	expect(seen(Object.fromEntries(Array.from({ length: 7 }, (_, index) => [`f${index}`, "x"])))).toEqual([]);
	expect(screen.getByText("Other fields (7)")).toBeDefined();
});

const partsOf = (container: Element) => [...container.querySelectorAll(".asked-part")].map(({ textContent }) => textContent);

it("a request with two command lines has the same command on the card as everywhere else, and shows the other one", () => {
	for (const fields of [
		{ cmd: "npm test", command: "rm -rf y" },
		{ command: ["rm", "-rf", "y"], cmd: ["npm", "test"] },
	]) {
		cleanup();
		const container = show({ title: "Tests", ...inputOf(fields) });
		expect(container.querySelector("pre.whole")?.textContent).toBe("rm -rf y");
		expect(partsOf(container)).toEqual(["cmdnpm test"]);
		expect(askedLines(approval({ title: "Tests", ...inputOf(fields) }), "rm -rf y")).toContain("  cmd: npm test");
	}
});

it("a request shows the environment variables of its command, on the card and in the command", () => {
	const unknown = Object.fromEntries(Array.from({ length: 7 }, (_, index) => [`f${index}`, "x"]));
	const environment = '{\n  "NODE_OPTIONS": "--require /tmp/x.js"\n}';
	const request = { title: "npm test", ...inputOf({ command: "npm test", env: { NODE_OPTIONS: "--require /tmp/x.js" }, ...unknown }) };
	expect(partsOf(show(request))).toEqual([`Environment${environment}`]);
	expect(askedLines(approval(request), "npm test")).toContainEqual(
		expect.stringMatching(/^ {2}environment: .*"NODE_OPTIONS": "--require \/tmp\/x\.js"/),
	);
	cleanup();
	expect(partsOf(show({ title: "npm test", ...inputOf({ command: "npm test", env: {} }) }))).toEqual([]);
});
