/** A program that was run again did not do what it had done before. */
export class ResumeMismatch extends Error {
	override readonly name = "ResumeMismatch";
	readonly code = "RESUME_MISMATCH";
}
