/** English text for what the restore of a backup changed about plans and their messages. */
export const restoredWords = {
	/** For places with room for only a few words. */
	inShort: "{reason}; may have been sent already",
	/** The state of a message that failed before the backup was made, and of a due time that has only such a message. */
	perhapsSent: "May have been sent",
	title: "This message may have been sent already",
	say: "A backup was restored, so XWorkmate can’t tell whether this message was sent after the backup was made.",
	fix: "Check whether it has arrived before you send it.",
	paused: "Paused because the data folder was restored from a backup",
	pausedSay: "The data folder was restored from a backup.",
};
