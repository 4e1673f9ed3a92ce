/** SQL for `listed_turns`, which holds what a list shows about a thread's turns. A commit that changes a turn also updates it. */

/** The most serious way in which a turn's run made a call without permission, from its `snapshot`. A migration reads it too. */
export const unpermitted = `(SELECT one.value FROM json_each('["denied","found","another","unanswered"]') AS one
	WHERE EXISTS (SELECT 1 FROM json_each(snapshot, '$.activity.items') AS item WHERE json_extract(item.value, '$.unpermitted') = one.value)
	ORDER BY one.key LIMIT 1)`;

/** Writes a thread's row from its newest turn. `thread` and the two counts are SQL expressions. */
function row(thread: string, turnCount: string, deliveredCount: string): string {
	return `INSERT OR REPLACE INTO listed_turns
		(thread, newest, turn_count, delivered_count, collected_count, preview, provider_id, working_directory, answer, failed_commands, changed_count, acted, lacking, unpermitted)
		SELECT ${thread}, turns.id, ${turnCount}, ${deliveredCount}, json_extract(snapshot, '$.artifacts.count'),
			CASE json_extract(request, '$.origin.kind') WHEN 'plan' THEN '' ELSE substr(prompt, 1, 200) END, json_extract(request, '$.routing.providerId'), json_extract(request, '$.workingDirectory'),
			substr(json_extract(snapshot, '$.output.text'), 1, 200), failed_commands(json_extract(snapshot, '$.activity')),
			json_extract(snapshot, '$.edits.total'),
			(SELECT max(json_extract(item.value, '$.risk') <> 'read') FROM json_each(snapshot, '$.activity.items') AS item),
			coalesce(
				(SELECT CASE WHEN max(json_extract(item.value, '$.status') = 'unknown') THEN 'unknown' WHEN count(*) > 0 THEN 'undone' END
					FROM json_each(snapshot, '$.activity.items') AS item
					WHERE json_extract(item.value, '$.origin') = 'executed' AND json_extract(item.value, '$.status') <> 'succeeded'),
				CASE WHEN json_extract(snapshot, '$.grounding.state') IN ('unverified', 'replaced')
					OR EXISTS (SELECT 1 FROM json_each(snapshot, '$.activity.items') AS item
						WHERE json_extract(item.value, '$.unpermitted') IS NOT NULL OR json_extract(item.value, '$.contradiction') <> 'not_held'
							OR (json_extract(item.value, '$.contradiction') IS NOT NULL AND json_extract(item.value, '$.approval.decision') IN ('allow_once', 'allow_window')
								AND json_extract(item.value, '$.approval.by') NOT GLOB 'window:*' AND json_extract(item.value, '$.approval.by') NOT GLOB 'configuration:*')) THEN 'unverified' END,
				CASE WHEN coalesce(json_extract(snapshot, '$.rejectedCount'), json_array_length(snapshot, '$.rejectedArtifacts')) > 0 THEN 'rejected' END),
			${unpermitted}
		FROM threads LEFT JOIN turns ON turns.id = (SELECT max(newest.id) FROM turns AS newest WHERE newest.thread = threads.id)
		WHERE threads.id = ${thread}`;
}

/** Takes the counts from the caller, which knows them. */
export const listTurns = row("@thread", "@turnCount", "@deliveredCount");

/** Takes the counts from all turns of the thread, for a thread that an earlier version wrote. */
export const countTurns = row(
	"@thread",
	"(SELECT count(*) FROM turns AS each_turn WHERE each_turn.thread = @thread)",
	`(SELECT count(DISTINCT path.value) FROM turns AS each_turn, json_each(each_turn.synced_paths) AS path
		WHERE each_turn.thread = @thread)`,
);

/** Selects the threads that have no row yet, or only the given one. */
export const uncountedThreads = `SELECT id FROM threads WHERE (@threadId IS NULL OR thread_id = @threadId)
	AND NOT EXISTS (SELECT 1 FROM listed_turns WHERE thread = threads.id)`;
