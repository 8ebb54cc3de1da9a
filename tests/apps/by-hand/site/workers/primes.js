onmessage = ({ data: limit }) => {
  const primes = [];
  for (let number = 2; number < limit; number += 1) {
    if (primes.every((prime) => number % prime)) primes.push(number);
  }
  setTimeout(() => postMessage(primes), 100);
};
