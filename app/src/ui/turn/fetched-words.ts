import type { SyncedThread } from "../../api/app-api.ts";
import { fill, words } from "../../strings/interface.ts";
import { fileName } from "../../text/file-names.ts";
import { currentTurn } from "../../threads/domain/thread.ts";
import { asSentence } from "../text/sentence.ts";
import { visibleName } from "../text/visible-text.ts";

/** The result of Retry download. It is announced, because the card does not change if the files still cannot be fetched. */
export function fetchedWords(synced: SyncedThread): string {
	const { message = words.outcome.filesPartial, fix = "" } = currentTurn(synced)?.resultDetail ?? {};
	const last = synced.lastArtifactSyncStatus === "partial" ? [asSentence(message), fix] : [];
	const earlier = synced.broughtBack?.lacking.map(({ path, message }) => fill(words.outcome.fetchedLess, { path, message })) ?? [
		words.outcome.fetchedRunning,
	];
	const said = visibleName([...last, ...earlier].join(" ").trim());
	const { setAside = [] } = synced;
	const aside = setAside.map(
		({ relativePath, keptAs }) => `${fill(words.files.setAsideAs, { name: fileName(relativePath) })} ${visibleName(keptAs)}.`,
	);
	return [said === "" ? words.outcome.fetchedAll : said, ...aside].join(" ");
}
