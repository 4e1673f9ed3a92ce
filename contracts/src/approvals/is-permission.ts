import type { Approval } from "./approval.ts";

/** True for an answer of the user that allows the call, once or for a time. Depends on types only, so the page can load it. */
export function isPermission(decision: Approval["decision"] | "allow"): boolean {
	return decision === "allow_once" || decision === "allow_window";
}
