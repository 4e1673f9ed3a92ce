import type { ListedTool, PolicyDecision, Risk } from "@xworkmate/contracts";

/**
 * What a tool itself says about its calls: one decision for all of them, `code` if its code decides for each call, `risk` if it says
 * nothing. `unknown`: an older bridge loaded the version, and didn't record whether a function decides.
 */
export type OwnRule = PolicyDecision | "code" | "risk" | "unknown";

/** One change in what an integration can do, compared with the version that was accepted before. */
export type Power =
	| { readonly kind: "new"; readonly tool: ListedTool }
	| { readonly kind: "gone"; readonly tool: ListedTool }
	| { readonly kind: "risk"; readonly tool: ListedTool; readonly before: Risk; readonly isLower: boolean }
	| { readonly kind: "rule"; readonly tool: ListedTool; readonly before: OwnRule; readonly after: OwnRule }
	| { readonly kind: "window" | "idempotent"; readonly tool: ListedTool }
	| { readonly kind: "secret"; readonly tool: ListedTool; readonly name: string };

const risks: readonly Risk[] = ["read", "write", "destructive"];

/**
 * The changes in what an integration can do, tool by tool, with removed tools at the end. Not listed: changes to a tool's code alone, and
 * that a tool no longer uses a secret, allows permissions for a limited time or allows repetition.
 */
export function newPowers(before: readonly ListedTool[], after: readonly ListedTool[]): readonly Power[] {
	const known = new Map(before.map((tool) => [tool.toolId, tool]));
	const left = new Set(after.map(({ toolId }) => toolId));
	const gained = after.flatMap((tool): readonly Power[] => {
		const old = known.get(tool.toolId);
		return old === undefined ? [{ kind: "new", tool }, ...secretsOf(tool, [])] : changesOf(old, tool);
	});
	const gone = before.filter(({ toolId }) => !left.has(toolId)).map((tool): Power => ({ kind: "gone", tool }));
	return [...gained, ...gone];
}

export function ownRuleOf({ policy, codeDecides }: Pick<ListedTool, "policy" | "codeDecides">): OwnRule {
	if (codeDecides === true) return "code";
	return policy ?? (codeDecides === undefined ? "unknown" : "risk");
}

function changesOf(old: ListedTool, tool: ListedTool): readonly Power[] {
	const powers: Power[] = [];
	const isLower = risks.indexOf(tool.risk) < risks.indexOf(old.risk);
	// A lower risk is a gain too, because calls that used to need approval may be allowed from now on.
	if (old.risk !== tool.risk) powers.push({ kind: "risk", tool, before: old.risk, isLower });
	const [before, after] = [ownRuleOf(old), ownRuleOf(tool)];
	// Two unknown rules can't be assumed to be equal.
	if (before !== after || after === "unknown") powers.push({ kind: "rule", tool, before, after });
	if (tool.window && !old.window) powers.push({ kind: "window", tool });
	if (tool.idempotent && !old.idempotent) powers.push({ kind: "idempotent", tool });
	return [...powers, ...secretsOf(tool, old.secrets)];
}

function secretsOf(tool: ListedTool, known: readonly string[]): readonly Power[] {
	return tool.secrets.filter((name) => !known.includes(name)).map((name) => ({ kind: "secret", tool, name }));
}
