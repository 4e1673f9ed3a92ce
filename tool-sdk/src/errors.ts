/** The call had no effect. The message is shown to the user, so write a sentence: what happened, and what to do. */
export class ToolFailed extends Error {
	override readonly name: string = "ToolFailed";
}

/** The call may or may not have had its effect. It is recorded as unknown and never repeated, unless the tool is a read or `idempotent`. */
export class OutcomeUnknown extends Error {
	override readonly name: string = "OutcomeUnknown";
}
