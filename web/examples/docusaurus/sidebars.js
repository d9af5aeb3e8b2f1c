export default { course: ['treinar', 'exercicios'] };
