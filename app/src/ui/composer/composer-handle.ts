import type { Draft, TurnDetail } from "../../api/ui-api.ts";
import type { ComposerOptions } from "./send-composed.ts";

/** What the composer offers to other parts of the page. */
export interface ComposerHandle {
	/** Puts text into the field for the user to edit and send, with what its run must deliver. The user's own draft is set aside. */
	write(prompt: string, demands: Pick<ComposerOptions, "require" | "requiresExport">): void;
	/** Restores an earlier message: its text, files, folder, agent and required files. */
	writeAgain(turn: TurnDetail): void;
	/** Opens the agent picker. */
	choose(): void;
	/** Resolves with true if nothing is typed or attached here. Waits until the app has saved that, or has failed to. */
	isFree(): Promise<boolean>;
	/** Inserts a draft that another part of the page made, above any text that is already typed. */
	takeUp(draft: Draft): void;
	/** Inserts text above the text that is already typed. */
	putAbove(prompt: string): void;
	focus(): void;
}
