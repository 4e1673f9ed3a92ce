/** English text for a run with which contact is lost. `fill` replaces values in braces. */
export const lostWords = {
	lostTitle: "Connection lost. The run may still be in progress.",
	lostSay: "The run’s last update was {ago}. This page will catch up when the connection is back.",
	lostNever: "This page will catch up when the connection is back.",
	endedTitle: "The bridge stopped during this run",
	endedSay: "When the bridge is back, you’ll see whether the run was interrupted or continues.",
	lostWaiting: "Connection lost. This message was still queued.",
	lostSaving: "The run has ended. Connection lost while its files were being saved.",
	lostSending: "Connection lost while sending",
	lostSendingSay: "XWorkmate doesn’t know yet whether your message arrived. Reconnecting won’t run it twice.",
	diskFullTitle: "The disk is full, so this run’s progress can’t be saved",
	diskFullSay: "The run may still be in progress. Free some space, and this page will catch up.",
	diskFullSending: "The disk is full, so XWorkmate can’t tell whether your message arrived",
	diskFullSendingSay: "Free some space, and XWorkmate will find out. Your message won’t run twice.",
	diskFullSteps: "Waiting for disk space…",
	localTitle: "XWorkmate can’t save this run’s progress",
	localSay: "XWorkmate keeps trying, and this page will catch up.",
} as const;
