import type { ProgressStage } from "@xworkmate/contracts";

/** True if a run in this stage has no working agent any more: only its files are still being handled. */
export function isPastWork(stage: ProgressStage | undefined): boolean {
	return stage === "collecting" || stage === "exporting" || stage === "sealing";
}
