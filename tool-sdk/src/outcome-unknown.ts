/**
 * The call may have acted, and nobody can know: a connection was lost after the request was sent, say. The call is recorded as unknown and is
 * not made again, unless the tool is a read or `idempotent`.
 */
export class OutcomeUnknown extends Error {
	override readonly name = "OutcomeUnknown";
	readonly code = "OUTCOME_UNKNOWN";
}
