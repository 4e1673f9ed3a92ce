/** The program, run again, did not do what it did before. */
export class ResumeMismatch extends Error {
	override readonly name = "ResumeMismatch";
	readonly code = "RESUME_MISMATCH";
}
