import type { ActionId, DeliveryAction, MethodResult, Occurrence, OccurrenceId, Plan, PlanId } from "@xworkmate/contracts";
import { useCallback, useEffect, useState } from "react";
import { sayError } from "../connection/app-refusal.ts";
import { callApp } from "../connection/call-app.ts";
import { askOccurrence } from "../plans/use-occurrences.ts";
import { usePlanRead } from "../plans/use-plans.ts";

export type Preview = MethodResult<"xworkmate.plans.preview">;

/** The plan and the occurrence that are shown. `occurrence` is absent if the plan has none with that id. */
export function useReviewed(planId: string, occurrenceId: string) {
	const ask = useCallback(async (): Promise<{ readonly plan: Plan; readonly occurrence?: Occurrence }> => {
		const [plan, occurrence] = await Promise.all([callApp("plan", { planId: planId as PlanId }), askOccurrence(planId, occurrenceId)]);
		return { plan, ...(occurrence && { occurrence }) };
	}, [planId, occurrenceId]);
	return usePlanRead(ask, planId);
}

export interface PreviewState {
	readonly preview?: Preview;
	readonly problem?: string;
}

/**
 * The bytes of a message as they would be sent. They are built again when the occurrence changes, when a different text is typed, and when
 * `buildAgain` is called, for what may change without the occurrence: addresses, settings and files.
 */
export function usePreview(
	occurrence: Occurrence | undefined,
	action: DeliveryAction | undefined,
	content: string | undefined,
): PreviewState & { buildAgain(): void } {
	const [got, setGot] = useState<PreviewState & { readonly isDraft?: boolean }>({});
	const [builds, setBuilds] = useState(0);
	const buildAgain = useCallback(() => setBuilds((count) => count + 1), []);
	const occurrenceId = occurrence?.occurrenceId;
	const actionId = action?.actionId;
	const revision = occurrence?.revision;
	const isDraft = content !== undefined;
	const canBuild = isDraft || action?.content !== undefined || occurrence?.deliverable !== undefined;
	// biome-ignore lint/correctness/useExhaustiveDependencies: built again with each revision, and each time that the caller asks
	useEffect(() => {
		if (occurrenceId === undefined || actionId === undefined || !canBuild) return setGot({});
		let isOld = false;
		const timer = setTimeout(() => void ask(occurrenceId, actionId), isDraft ? TYPING_MS : 0);
		const ask = async (of: OccurrenceId, one: ActionId) => {
			try {
				const preview = await callApp("previewMessage", { occurrenceId: of, actionId: one, ...(isDraft && { content }) });
				if (!isOld) setGot({ preview, isDraft });
			} catch (error) {
				if (!isOld) setGot({ problem: sayError(error), isDraft });
			}
		};
		return () => {
			isOld = true;
			clearTimeout(timer);
		};
	}, [occurrenceId, actionId, revision, content, canBuild, builds]);
	// Until the message itself is built, the preview of a draft isn't shown for it: it would be taken for what was sent.
	return { ...(got.isDraft === isDraft ? got : {}), buildAgain };
}

/** How long to wait after a keystroke before the preview is built again. */
const TYPING_MS = 300;
