import { type RefObject, useEffect, useRef, useState } from "react";

/** Handles files dragged and dropped around the composer: the whole thread accepts them, not only the message field. */
export function useDroppedFiles(field: RefObject<HTMLElement | null>, add: (files: Iterable<File>) => void): boolean {
	const [isOver, setOver] = useState(false);
	const take = useRef(add);
	take.current = add;
	useEffect(() => {
		const page = field.current?.closest<HTMLElement>("main") ?? field.current?.closest<HTMLElement>("form");
		if (page === null || page === undefined) return undefined;
		const over = (is: boolean) => {
			setOver(is);
			page.toggleAttribute("data-drops", is);
		};
		const ends = new AbortController();
		const { signal } = ends;
		page.addEventListener(
			"dragover",
			(event) => {
				if (event.dataTransfer?.types.includes("Files") !== true) return;
				event.preventDefault();
				over(true);
			},
			{ signal },
		);
		page.addEventListener(
			"dragleave",
			(event) => {
				if (!(event.relatedTarget instanceof Node && page.contains(event.relatedTarget))) over(false);
			},
			{ signal },
		);
		page.addEventListener(
			"drop",
			(event) => {
				over(false);
				const files = event.dataTransfer?.files;
				if (files === undefined || files.length === 0) return;
				event.preventDefault();
				take.current(files);
			},
			{ signal },
		);
		return () => {
			ends.abort();
			over(false);
		};
	}, [field]);
	return isOver;
}
