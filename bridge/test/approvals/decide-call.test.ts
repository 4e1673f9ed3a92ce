import type { ApprovalId, PolicyDecision, Risk } from "@xworkmate/contracts";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type CallFacts, decideCall, denialOf, INPUT_BYTES, WAITING_CALLS } from "../../src/approvals/decide-call.ts";

const decisions: readonly (PolicyDecision | undefined)[] = [undefined, "allow", "ask", "deny"];

/** Every value that a fact may have, by its name in the table below. */
const facts = {
	accepted: ["yes", "no"],
	risk: ["read", "write", "destructive"],
	tool: ["-", "allow", "ask", "deny"],
	own: ["-", "allow", "ask", "deny", "failed"],
	run: ["-", "allow", "ask", "deny"],
	rule: ["-", "allow", "ask", "deny"],
	window: ["yes", "no"],
	offer: ["yes", "no"],
	unattended: ["yes", "no"],
	waiting: ["0", "999", "1000"],
	bytes: ["1048576", "1048577"],
} as const;
type Name = keyof typeof facts;
type Row = { readonly [N in Name]: (typeof facts)[N][number] };

/** The policy as a table: the first line that holds decides. `?` stands for what is asked. */
const table = `
	bytes=1048577                             -> deny policy input_too_large
	run=deny                                  -> deny run policy
	rule=deny                                 -> deny person policy
	own=failed                                -> deny policy policy_failed
	own=deny                                  -> deny policy policy
	tool=deny                                 -> deny policy policy
	accepted=no unattended=yes                -> deny bridge unattended
	accepted=no waiting=1000                  -> deny bridge too_many_waiting
	accepted=no                               -> ask once
	run=allow                                 -> allow run
	run=ask                                   -> ?
	rule=allow                                -> allow person
	rule=ask                                  -> ?
	own=allow                                 -> allow policy
	own=ask                                   -> ?
	tool=allow                                -> allow policy
	tool=ask                                  -> ?
	risk=read                                 -> allow policy
	risk=write                                -> ?
	risk=destructive                          -> ?
`;
const askedTable = `
	window=yes                                -> allow window:apr-1
	unattended=yes                            -> deny bridge unattended
	waiting=1000                              -> deny bridge too_many_waiting
	offer=yes                                 -> ask window
	offer=no                                  -> ask once
`;

type Line = { readonly needs: readonly (readonly [string, string])[]; readonly says: string };
const linesOf = (text: string): readonly Line[] =>
	text
		.trim()
		.split("\n")
		.map((line) => {
			const [left = "", says = ""] = line.split("->").map((part) => part.trim());
			return { needs: left.split(/\s+/).map((need) => [need.split("=")[0] ?? "", need.split("=")[1] ?? ""] as const), says };
		});
const lines = linesOf(table);
const askedLines = linesOf(askedTable);

function lookUp(row: Row, among = lines): string {
	const values: Readonly<Record<string, string>> = row;
	const found = among.find(({ needs }) => needs.every(([name, value]) => values[name] === value));
	if (found === undefined) throw new Error("the table does not say");
	return found.says === "?" ? lookUp(row, askedLines) : found.says;
}

const isDecision = (value: string): value is PolicyDecision => decisions.includes(value as PolicyDecision);
const decisionOf = (value: string) => (isDecision(value) ? value : undefined);

function toFacts(row: Row): CallFacts {
	const policy = decisionOf(row.tool);
	return {
		tool: { isAccepted: row.accepted === "yes", risk: row.risk, mayWindow: row.offer === "yes", ...(policy && { policy }) },
		own: row.own === "failed" ? "failed" : decisionOf(row.own),
		run: decisionOf(row.run),
		rule: decisionOf(row.rule),
		window: row.window === "yes" ? ("apr-1" as ApprovalId) : undefined,
		isUnattended: row.unattended === "yes",
		inputBytes: Number(row.bytes),
		waiting: Number(row.waiting),
	};
}

function said(given: CallFacts): string {
	const answer = decideCall(given);
	if (answer.decision === "allow") return `allow ${answer.by}`;
	if (answer.decision === "ask") return answer.mayWindow ? "ask window" : "ask once";
	return `deny ${answer.by} ${answer.reason}`;
}

function* allRows(names: readonly string[] = Object.keys(facts), row: Record<string, string> = {}): Iterable<Row> {
	const [name, ...rest] = names;
	if (name === undefined) {
		yield { ...row } as Row;
		return;
	}
	for (const value of facts[name as Name]) yield* allRows(rest, { ...row, [name]: value });
}

const decision = fc.constantFrom(...decisions);
const anyFacts: fc.Arbitrary<CallFacts> = fc.record({
	tool: fc
		.record({
			isAccepted: fc.boolean(),
			risk: fc.constantFrom<Risk>("read", "write", "destructive"),
			mayWindow: fc.boolean(),
			policy: decision,
		})
		.map(({ policy, ...tool }) => ({ ...tool, ...(policy && { policy }) })),
	own: fc.constantFrom<PolicyDecision | "failed" | undefined>(...decisions, "failed"),
	run: decision,
	rule: decision,
	window: fc.constantFrom(undefined, "apr-1" as ApprovalId),
	isUnattended: fc.boolean(),
	inputBytes: fc.constantFrom(0, INPUT_BYTES, INPUT_BYTES + 1),
	waiting: fc.constantFrom(0, WAITING_CALLS - 1, WAITING_CALLS),
});

describe("the policy for a typed call", () => {
	it("[T1-18] answers each combination of facts as its table does, with one of allow, ask and deny", () => {
		let count = 0;
		const differing: string[] = [];
		for (const row of allRows()) {
			count++;
			const answer = said(toFacts(row));
			if (answer !== lookUp(row)) differing.push(`${JSON.stringify(row)}: ${answer} instead of ${lookUp(row)}`);
		}
		expect(differing.slice(0, 3)).toEqual([]);
		expect(count).toBe(2 * 3 * 4 * 5 * 4 * 4 * 2 * 2 * 2 * 3 * 2);
	});

	it("[T1-15] leaves it to the tool, then to its risk, when nobody has set a rule", () => {
		const tool = { isAccepted: true, risk: "write", mayWindow: true } as const;
		const plain = { tool, isUnattended: false, inputBytes: 2, waiting: 0 };
		expect(said(plain)).toBe("ask window");
		expect(said({ ...plain, tool: { ...tool, policy: "allow" } })).toBe("allow policy");
		expect(said({ ...plain, tool: { ...tool, policy: "allow" }, own: "ask" })).toBe("ask window");
		expect(said({ ...plain, tool: { ...tool, risk: "read" } })).toBe("allow policy");
	});

	it("never allows what anybody denies, and never starts code that nobody accepted unasked", () => {
		fc.assert(
			fc.property(anyFacts, (given) => {
				const { decision } = decideCall(given);
				const denied = [given.run, given.rule, given.own, given.tool.policy].includes("deny") || given.own === "failed";
				if (denied || given.inputBytes > INPUT_BYTES) expect(decision).toBe("deny");
				if (!given.tool.isAccepted) expect(decision).not.toBe("allow");
			}),
		);
	});

	it("lets a permission turn what is asked into allowed, and change nothing else", () => {
		fc.assert(
			fc.property(anyFacts, ({ window: _window, ...given }) => {
				const without = decideCall(given);
				const asked = decideCall({ ...given, isUnattended: false, waiting: 0 });
				const within = decideCall({ ...given, window: "apr-1" as ApprovalId });
				if (asked.decision === "ask" && given.tool.isAccepted) expect(within).toEqual({ decision: "allow", by: "window:apr-1" });
				else expect(within).toEqual(without);
			}),
		);
	});

	it("asks nobody in an unattended turn, and denies nothing there that is not asked", () => {
		fc.assert(
			fc.property(anyFacts, (given) => {
				const attended = decideCall({ ...given, isUnattended: false, waiting: 0 });
				const unattended = decideCall({ ...given, isUnattended: true, waiting: 0 });
				if (attended.decision === "ask") expect(unattended).toEqual({ decision: "deny", by: "bridge", reason: "unattended" });
				else expect(unattended).toEqual(attended);
			}),
		);
	});

	it("denies at the gate exactly what is denied whatever else is said", () => {
		fc.assert(
			fc.property(anyFacts, (given) => {
				const answer = decideCall({ ...given, isUnattended: false, waiting: 0 });
				expect(denialOf(given)).toEqual(answer.decision === "deny" ? answer : undefined);
			}),
		);
	});
});
