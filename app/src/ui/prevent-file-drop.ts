/** A file that is dropped beside the composer stays where it is: a browser would leave the page and open it. */
export function keepStrayDrops(): void {
	for (const kind of ["dragover", "drop"] as const) {
		addEventListener(kind, (event) => {
			if (event.defaultPrevented || event.dataTransfer?.types.includes("Files") !== true) return;
			event.preventDefault();
			event.dataTransfer.dropEffect = "none";
		});
	}
}
