import type { ArchiveCheck } from "../../api/ui-routes.ts";
import { archiveRoute } from "../../api/ui-routes.ts";
import { refusalOf } from "../connection/app-refusal.ts";
import { reach } from "../connection/call-app.ts";
import { Store } from "../connection/store.ts";
import { attempt } from "../state/thread-actions.ts";

export interface Archive {
	readonly threadId: string;
	/** Absent for the files of the whole thread. */
	readonly runId?: string;
	readonly format: "zip" | "tar";
}

/** An archive from which files would be missing. The user has to confirm its download. */
export const lackingArchive = new Store<(ArchiveCheck & { readonly archive: Archive }) | undefined>(undefined);

/** Downloads the archive. If files would be missing from it, first shows which and why. */
export async function downloadArchive(archive: Archive): Promise<void> {
	await attempt(async () => {
		const { threadId, runId, format } = archive;
		const response = await reach(archiveRoute(threadId, runId, format, "check"), {});
		if (!response.ok) throw await refusalOf(response);
		const found = (await response.json()) as ArchiveCheck;
		if (found.lacking.length > 0) lackingArchive.set({ ...found, archive });
		else start(archiveRoute(threadId, runId, format));
	});
}

/** Downloads the files that are available. */
export function downloadPartial({ threadId, runId, format }: Archive): void {
	start(archiveRoute(threadId, runId, format, "partial"));
}

function start(href: string): void {
	const link = document.createElement("a");
	link.href = href;
	link.download = "";
	link.click();
}
