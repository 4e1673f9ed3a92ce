/** The message must not leave: its claim has expired, or it was cancelled. */
export class HandOverRefused extends Error {
	override readonly name = "HandOverRefused";
	readonly code = "HAND_OVER_REFUSED";

	constructor() {
		super("The message must no longer be handed over.");
	}
}
