/** True for an answer of the user that allows the call, once or for a time. Imports nothing, so the page can load it. */
export function isPermission(decision: string | undefined): decision is "allow_once" | "allow_window" {
	return decision === "allow_once" || decision === "allow_window";
}
