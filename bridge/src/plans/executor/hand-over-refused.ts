/** The message must not leave: its claim has expired, its time has run out, it was cancelled, or the bridge is stopping. */
export class HandOverRefused extends Error {
	override readonly name = "HandOverRefused";
	readonly code = "HAND_OVER_REFUSED";

	constructor() {
		super("The message can no longer be handed over.");
	}
}
