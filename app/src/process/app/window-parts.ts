import type { SettingDigests } from "../../config/setting-digests.ts";
import type { OpenedApp } from "../../core/open-app.ts";
import { UiSessions } from "../../server/access/ui-sessions.ts";
import type { UiParts } from "../../server/create-app-server.ts";

/** The parts of the app that the server needs to serve pages. `assets` is the absolute path of the built page's folder. */
export function windowParts(app: OpenedApp, assets: string, startedWith: SettingDigests, now?: () => number): UiParts {
	const { files, runLogs, threadExport, receipts, sessions } = app;
	return {
		...{ assets, startedWith, sessions: new UiSessions(sessions, now) },
		files: {
			openFile: (threadId, runId, path, kept) => files.open(threadId, runId, path, kept),
			archive: (threadId, runId) => files.archive(threadId, runId),
			exportRunLog: (threadId, turnId) => runLogs.export(threadId, turnId),
			exportThread: (threadId, format) => threadExport.open(threadId, format),
			exportReceipts: (of, signal) => receipts.openReceipts(of, signal),
		},
	};
}
