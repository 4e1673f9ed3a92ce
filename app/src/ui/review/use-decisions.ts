import type { DeliveryAction, Occurrence, RequestId } from "@xworkmate/contracts";
import { isDropped } from "@xworkmate/contracts/is-dropped";
import { useState } from "react";
import { reviewWords as words } from "../../strings/plans/review-words.ts";
import { newTurnId } from "../../threads/domain/new-ids.ts";
import { AppRefusal } from "../connection/app-refusal.ts";
import { callApp } from "../connection/call-app.ts";
import { useApp } from "../state/app-context.tsx";
import { go } from "../state/route.ts";
import { attempt } from "../state/thread-actions.ts";
import { say } from "../state/toasts.ts";
import type { Decision } from "./decide-bar.tsx";
import { refusedWords } from "./refused-words.ts";
import type { ResendOptions } from "./resend-dialog.tsx";
import type { Preview, PreviewState } from "./use-review.ts";

interface Decided {
	readonly occurrence: Occurrence;
	readonly action: DeliveryAction;
	/** The preview that is shown. Its hash is sent with a decision to send or edit the message. */
	readonly preview: Preview | undefined;
	/** True if what is shown may be out of date. Then no decision is sent. */
	readonly isOld: boolean;
	/** The user's own text, while it is being edited. */
	readonly typed: string | undefined;
	read(): void;
	/** Builds the preview again, and reads who the recipients are. Resolves like `buildAgain` of `usePreview`. */
	buildAgain(): Promise<PreviewState>;
	stopEditing(): void;
}

const saids: Readonly<Record<Decision, string>> = {
	send: words.sent,
	edit: words.edited,
	rerun: words.rerunSaid,
	discard: words.discarded,
};

/** Decisions about a message. All but resending are sent with the revision that the user saw. */
export function useDecisions({ occurrence, action, preview, isOld, typed, read, buildAgain, stopEditing }: Decided) {
	const { announce } = useApp();
	const [isBusy, setBusy] = useState(false);
	const { occurrenceId, revision } = occurrence;
	const { actionId } = action;
	const run = async (act: () => Promise<unknown>) => {
		if (isBusy) return;
		if (isOld) {
			announce(words.notCurrent);
			return say(words.notCurrent);
		}
		setBusy(true);
		await attempt(act);
		setBusy(false);
		read();
	};
	const review = async (decision: Decision) => {
		const content = decision === "edit" ? { content: typed ?? "" } : {};
		const hash = (decision === "send" || decision === "edit") && preview !== undefined ? { payloadHash: preview.payloadHash } : {};
		try {
			const { applied } = await callApp("reviewMessage", {
				occurrenceId,
				actionId,
				revision,
				decision,
				...content,
				...hash,
			});
			const said = applied ? saids[decision] : words.tooLate;
			if (applied) stopEditing();
			announce(said);
			say(said);
		} catch (error) {
			// What was shown may no longer be what would be sent, for example because the contact was changed or removed.
			const built = buildAgain();
			if (!(error instanceof AppRefusal)) throw error;
			const said = await refusalWords(error, built);
			if (said === undefined) throw error;
			announce(said);
			say(said);
		}
	};
	/** What to say about a refusal, once the new preview is shown; undefined if what is shown does not explain the refusal. */
	const refusalWords = async ({ code }: AppRefusal, built: Promise<PreviewState>): Promise<string | undefined> => {
		if (code !== "PAYLOAD_CHANGED" && code !== "CONTENT_INVALID") return undefined;
		const { preview: shown, problem } = await built;
		if (code === "CONTENT_INVALID") return refusedWords(action.channel, shown?.lint ?? []);
		return [words.changed, shown === undefined ? problem : words.newVersion].filter((sentence) => sentence !== undefined).join(" ");
	};
	return {
		isBusy,
		decide: (decision: Decision) => void run(() => review(decision)),
		settle: (outcome: "sent" | "not_sent") =>
			void run(async () => {
				const { applied } = await callApp("settleMessage", { occurrenceId, actionId, revision, outcome });
				say(applied ? words.settle.done : words.tooLate);
			}),
		resend: (options: ResendOptions) => {
			const requestId = newTurnId() as string as RequestId;
			const { done } = isDropped(action) ? words.resend.afterAll : words.resend;
			void run(async () => {
				const made = await callApp("resendMessages", { occurrenceId, actionIds: [actionId], requestId, ...options });
				const { planId, occurrenceId: madeId } = made;
				const held = made.delivery.find(({ status }) => status === "needs_review");
				say(held === undefined ? done : words.resend.held);
				if (held === undefined) go({ page: "plan", planId, occurrenceId: madeId });
				else go({ page: "review", planId, occurrenceId: madeId, actionId: held.actionId });
			});
		},
	};
}
