/** The call has not done what was asked, for a reason that the user can read: "The calendar is read-only." */
export class ToolFailed extends Error {
	override readonly name = "ToolFailed";
	readonly code = "TOOL_FAILED";
}
