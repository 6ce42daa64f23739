// Scripts that come when they are needed. Some browsers keep, while a page is open, that one did not come, or what it
// imports: then it is asked for in a folder of another name, which the server takes for one from before an update.

// A page's scripts come as one, under all their names, some of which have a folder.
export const assets = import.meta.url.match(/^.*?\/static\/[^/]+/)?.[0];

/** @type {Record<string, string>} */
const marks = {}; // by script: what makes its folder another one

/** @param {string} name @returns {Promise<any>} */
export async function load(name) {
  marks[name] ??= "";
  try {
    return await import(`${assets}${marks[name]}/${name}`);
  } catch (error) {
    marks[name] += "-";
    throw error;
  }
}

const AGAIN_MS = 1_000;

/** As often as it takes. @param {string} name @returns {Promise<any>} */
export const needed = (name) =>
  load(name).catch(async () => {
    await new Promise((done) => setTimeout(done, AGAIN_MS));
    return needed(name);
  });
