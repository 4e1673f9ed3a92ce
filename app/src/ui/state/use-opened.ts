import { useEffect, useState } from "react";
import { sayError } from "../connection/app-refusal.ts";

/** A folder to open; without a path, the one to start from. */
interface Wanted {
	readonly path?: string;
}

interface Opened<T> {
	/** The folder that was opened last. It remains until another one has been opened. */
	readonly shown?: Wanted & { readonly found: T };
	/** Why the last folder could not be opened. */
	readonly problem?: string;
	/** True while a folder is being opened. The previous one is still shown, and pressing a button would apply to that one. */
	readonly isOpening: boolean;
	open(path: string | undefined): void;
}

/** Lets the user go from folder to folder. Only the answer for the folder that was requested last is used. */
export function useOpened<T>(read: (wanted: Wanted) => Promise<T>): Opened<T> {
	const [wanted, setWanted] = useState<Wanted>({});
	const [shown, setShown] = useState<Opened<T>["shown"]>();
	const [answered, setAnswered] = useState<Wanted>();
	const [problem, setProblem] = useState<string>();
	// biome-ignore lint/correctness/useExhaustiveDependencies: reads when a folder is requested, not when the function changes
	useEffect(() => {
		let stale = false;
		const settle = (act: () => void) => {
			if (stale) return;
			act();
			setAnswered(wanted);
		};
		read(wanted).then(
			(found) =>
				settle(() => {
					setProblem(undefined);
					setShown({ ...wanted, found });
				}),
			(error: unknown) => settle(() => setProblem(sayError(error))),
		);
		return () => {
			stale = true;
		};
	}, [wanted]);
	return {
		...(shown && { shown }),
		...(problem !== undefined && { problem }),
		isOpening: answered !== wanted,
		open: (path) => setWanted(path === undefined ? {} : { path }),
	};
}
