import { ContractError, type MethodName, type MethodParams, methods } from "@xworkmate/contracts";
import type { z } from "zod";

type Issue = z.core.$ZodIssue;

const DETAIL_LENGTH = 300;

/**
 * Validates the params of a method. Absent params count as an empty object.
 * @throws ContractError ROUTING_REQUIRED, PAYLOAD_TOO_LARGE (an attachment that is too large), INVALID_PARAMS with the path
 */
export function parseParams<M extends MethodName>(method: M, params: unknown): MethodParams<M> {
	const given = params === undefined ? {} : params;
	const parsed = methods[method].params.safeParse(given);
	// The compiler cannot relate the looked-up schema to the method's own params.
	if (parsed.success) return parsed.data as MethodParams<M>;
	throw toContractError(given, flatten(parsed.error.issues));
}

function toContractError(params: unknown, issues: readonly Issue[]): ContractError {
	if (issues.some((issue) => issue.path[0] === "routing") && !saysWhere(params)) return new ContractError("ROUTING_REQUIRED");
	const oversized = issues.find((issue) => issue.code === "too_big" && issue.path[0] === "attachments" && issue.path[2] === "sizeBytes");
	const [first] = issues;
	const shown = oversized ?? first;
	const detail = shown === undefined ? undefined : describe(shown).slice(0, DETAIL_LENGTH - 1);
	return new ContractError(oversized === undefined ? "INVALID_PARAMS" : "PAYLOAD_TOO_LARGE", detail === undefined ? {} : { detail });
}

function saysWhere(params: unknown): boolean {
	if (typeof params !== "object" || params === null || !("routing" in params)) return false;
	const { routing } = params;
	if (typeof routing !== "object" || routing === null) return routing !== null && routing !== undefined;
	return "executionTarget" in routing;
}

/** Flattens a union's issues: only those of the variant that fits best are kept. */
function flatten(issues: readonly Issue[]): readonly Issue[] {
	return issues.flatMap((issue): readonly Issue[] => {
		if (issue.code !== "invalid_union" || issue.errors.length === 0) return [issue];
		const best = issue.errors.reduce((a, b) => (b.length < a.length ? b : a));
		return flatten(best.map((inner) => ({ ...inner, path: [...issue.path, ...inner.path] })));
	});
}

function describe(issue: Issue): string {
	const path = pathText(issue.path);
	if (issue.code === "unrecognized_keys") {
		return `${path === "" ? "" : `${path}: `}unknown parameter ${issue.keys.map((key) => JSON.stringify(key)).join(", ")}`;
	}
	return `${path === "" ? "params" : path}: ${issue.message}`;
}

function pathText(path: readonly PropertyKey[]): string {
	let text = "";
	for (const key of path) text += typeof key === "number" ? `[${key}]` : `${text === "" ? "" : "."}${String(key)}`;
	return text;
}
