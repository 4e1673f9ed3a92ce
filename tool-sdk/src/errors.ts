/** The call did not act. Its message is shown to the user, so it is a sentence: what happened, and what to do. */
export class ToolFailed extends Error {
	override readonly name: string = "ToolFailed";
}

/** The call may have acted, and no one can tell. It is shown as unknown and never repeated automatically, unless the tool is idempotent. */
export class OutcomeUnknown extends Error {
	override readonly name: string = "OutcomeUnknown";
}
